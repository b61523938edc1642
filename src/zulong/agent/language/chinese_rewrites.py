"""Chinese ways of saying the same thing, brought to one form before the grammar reads them.

Traditional characters, regional words (「俺」「甭」「搁」「哪旮旯」), questions of the form 「在不在」, and asides that
only say why or how kindly something is asked. What stands in quotation marks is never touched.
"""

from __future__ import annotations

import re

_TRADITIONAL = str.maketrans(
    "廚臥辦廳體門開關紅藍綠黃橙黑給廁書櫃檯冰電視沙發蘋杯個這裡裏來說誰幾條與請對問題"
    "麼樣東麗麥過為買帶領隨數紙籃餐廢樓層間飲料嗎"
    "檸檸見聽話時候點鐘張雙盤盒機試麵麪湯匙勺筆報紙鑰匙錢襯襪褲鞋帽燈窗簾園陽臺廠場車長裝"
    "還沒從進遠離邊頭後於應該別讓叫訴告講談語詢訪帳號碼離開動倒關閉鎖撿擺擱遞送運搬淨潔壞輕"
    "熱溫涼濕乾髒舊讀寫畫歡樂愛聲響夠變處備條顆塊罐瓶雞魚蝦飯糖鹽醬湯豬節連週點齊齒"
    "綜積導航護衛們麗羅賓簡納認識詞懂覺準確選擇傳達轉單獨幫忙勞煩謝謝趕緊馬慢穩搖擺臉腳腿"
    "參觀檢查測驗題歲顏穿著戶屋頂庫廊毯墊鋪檔總統共兩圍繞經內側隻隊員業務藥傷殺燒擊敗破爛"
    "啟關閉計設置隱藏風險階梯廣聯絡絕絲線圓舉揮",
    "厨卧办厅体门开关红蓝绿黄橙黑给厕书柜台冰电视沙发苹杯个这里里来说谁几条与请对问题"
    "么样东丽麦过为买带领随数纸篮餐废楼层间饮料吗"
    "柠柠见听话时候点钟张双盘盒机试面面汤匙勺笔报纸钥匙钱衬袜裤鞋帽灯窗帘园阳台厂场车长装"
    "还没从进远离边头后于应该别让叫诉告讲谈语询访帐号码离开动倒关闭锁捡摆搁递送运搬净洁坏轻"
    "热温凉湿干脏旧读写画欢乐爱声响够变处备条颗块罐瓶鸡鱼虾饭糖盐酱汤猪节连周点齐齿"
    "综积导航护卫们丽罗宾简纳认识词懂觉准确选择传达转单独帮忙劳烦谢谢赶紧马慢稳摇摆脸脚腿"
    "参观检查测验题岁颜穿着户屋顶库廊毯垫铺档总统共两围绕经内侧只队员业务药伤杀烧击败破烂"
    "启关闭计设置隐藏风险阶梯广联络绝丝线圆举挥",
)  # fmt: skip

_QUOTED = re.compile(r"([“\"「『‘][^”\"」』’]*[”\"」』’])")
_END = r"(?=[，。？！,.?!；;、]|$)"
_OPEN = r"(?:(?<=[，。？！,.?!；;])|(?<=^))"
_WHERE = r"(?:哪儿|哪里|哪个地方|哪边|什么地方|哪)"
_GONE = r"(?:去)?(?:了|啦|呢)?"

_WORDS: tuple[tuple[str, str], ...] = (
    ("俺们", "我们"), ("俺", "我"), ("咱们", "我们"), ("咱", "我们"), ("甭", "不用"), ("木有", "没有"),
    ("啥子", "什么"), ("啥", "什么"), ("咋样", "怎么样"), ("瞅瞅", "看看"), ("瞅一眼", "看一眼"), ("瞧一眼", "看一眼"),
    ("瞧瞧", "看看"), ("哪旮旯", "哪里"), ("哪旮沓", "哪里"), ("哪嘎达", "哪里"), ("哪疙瘩", "哪里"), ("哪块儿", "哪里"),
    ("这旮旯", "这里"), ("那旮旯", "那里"), ("晓得", "知道"), ("撂", "放"), ("杵在", "站在"),
)  # fmt: skip

# Each pattern with what it becomes; they are tried in this order, once each.
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        # where something is
        (rf"(?:搁|放|摆|丢|扔|跑|藏|落|躲|待|呆)(?:到|在)?{_WHERE}{_GONE}{_END}", "在哪里"),
        (rf"(?:上|跑)?{_WHERE}去(?:了|啦){_END}", "在哪里"),
        (
            rf"(?:你|您)?(?:刚刚|刚才|上次|最后|之前|昨天)?(?:是)?(?:最后)?在{_WHERE}(?:看见|见到|看到|见过|发现)"
            rf"(?:过|了|的)?([^，。？！,.?!]+?)(?:的)?(?:来着|呀|啊|呢)?{_END}",
            r"\1在哪里",
        ),
        (rf"{_OPEN}我们(?:一起)?(?=(?:去|到|回)[^，。？！,.?!]*吧)", ""),
        # what somebody wants
        (rf"{_OPEN}([^，。跟对告诉向和给把去]{{1,4}})说(?:他|她|自己)?(?=想|要|需要)", r"\1"),
        (r"搁(?=在|到|进|回)", "放"),
        (r"搁", "放"),
        (r"还有没有", "有没有"),
        # yes-or-no questions of the form "is or is not"
        (r"在不在", "是不是在"),
        (r"开没开(?:着)?|开不开着", "开着吗"),
        (r"关没关(?:着|上|好)?|关不关着", "关着吗"),
        (r"(坐|站|躺|睡)没\1(?:着)?", r"是不是\1着"),
        (
            rf"[，,]?(?:行不行|好不好|可不可以|成不成|可以不|行不|好不|中不|可好|成吗|中吗|如何|行么|好么|可以么){_END}",
            "",
        ),
        (
            rf"(还有|还剩|有|(?<![放摆坐站躺存])在|剩)([^，。？！,.?!有]+?)(?:不|没有|没|木有){_END}",
            r"\1\2吗",
        ),
        (rf"({_WHERE}|几|多少|谁|什么)([^，。？！,.?!]*?)(?:不){_END}", r"\1\2"),
        (r"还剩下?(?=[^，。？！,.?!]*(?:几|多少|什么|吗|没))", "有"),
        (r"剩下?(?=(?:几|多少|什么))", "有"),
        # "that is all right so", said at the end
        (rf"(?:就行|就好|就可以|即可|就成|就得|就够)(?:了|啦)?{_END}", ""),
        (rf"[，,](?:这样|那样)?(?:就可以|就行|就好|可以)(?:了|啦){_END}", ""),
        # what is not meant, and what is
        (r"不是(?:让|叫|要|说)?(?:你|您)?(?=去|把|拿|给|跟|带|放|找|到)", "不要"),
        (r"([，,])(?:而)?是(?:让|叫|要|说)?(?:你|您)?(?=去|把|拿|给|跟|带|放|找|到|送|端)", r"\1"),
        (
            r"[，,](?:哦|喔|噢|啊|哎|诶|嗯)?(?:还是)?改(?:成|为|主意了?[，,]?)?(?=去|到|拿|放|送|给|把|找|带|端)",
            "，不对，",
        ),
        (r"[，,]?(?:等等|等一下|等会儿|慢着|且慢)[，,](?:还是|不对[，,]|不[，,]|算了[，,]|改)", "，不对，"),
        (r"[，,](?:算了[，,])?还是(?=去|到|拿|放|送|给|把|找|带|端|要)", "，不对，"),
        (r"(哎|诶|哦|噢|啊|呃|欸|嗯)(?=不对|错了|不是)", ""),
        (r"(?:不对|错了|说错了)[，,]?是给", "不对，是"),
        # measures of a favour
        (r"(?<=[说讲问喊叫])一声", ""),
        (r"(告诉|通知|提醒)([^，。？！,.?!]{1,4}?)一声", r"\1\2"),
        (rf"{_OPEN}(请|快|麻烦你?|你)?[上下](?=[一二三四五六两]楼|楼上|顶楼|地下室|阁楼)", r"\1去"),
        (rf"{_OPEN}(请|快|麻烦你?|你)?([上下])楼(?:去|来)?{_END}", r"\1去楼\2"),
        # belongings, near things
        (r"我(?:这边|那边)?那(?=[红蓝绿黄黑白]|[个只本件])", "我的"),
    )
)

# Whole stretches between two punctuation marks that say why, how much or how kindly, and order nothing.
_ASIDES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:我|我们)?(?:这边|这儿|这里)?(?:正|还)?(?:等着|急着|急等着|着急|急|正)(?:要)?(?:用|喝|吃|看)(?:呢|的|啊)?",
        r"(?:我|我们)(?:现在|这会儿)?(?:手上|手里)?(?:正)?(?:忙着|忙|走不开|腾不开手|够不着|够不到|起不来|动不了|不方便(?:过去|起来)?)(?:呢|了|啊)?",
        r"(?:真是)?(?:太)?(?:辛苦|麻烦|劳驾|谢谢|多谢|感谢|有劳)(?:你|您)?(?:了|啦|啊|呀)?",
        r"(?:越快越好|不着急|不急|慢慢来|别着急|快点儿?|快一点儿?|小心点儿?|小心一点儿?|尽快|麻利点儿?)(?:啊|呀|哈|吧|哦)?",
        r"(?:好|那|嗯|哦|对了|话说|这样吧|那个|好了|行|哎|喂|诶|欸|唉|嗨|哈喽|嘿嘿?|ok|OK)(?:吧|的|呀|啊)?",
        r"(?:听到|听见|听懂|明白|知道|懂|收到)(?:了)?(?:吗|没|没有|么)",
        r"(?:我|我们)?(?:真的|实在)?(?:求|拜托)(?:你|您)(?:了|啦)?",
        r"(?:没|没有)?(?:别的|其他|其它)(?:事|事情)?(?:了)?",
        r"[^，。不别]{1,6}我(?:们)?(?:已经|都|早就)?(?:有|拿到|拿过|喝过|吃过)了",
        r"(?:就|先)(?:这样|这些)(?:吧|了)?",
    )
)
_LOOK_THEN = re.compile(
    r"(?:你|您)?(?:去|过去|帮我|给我|帮忙|替我)*(?:看看|看一看|看一下|看下|看一眼|瞧瞧|数数|数一数|数一下|查一下|查查|确认一下)(?:吧|呗|好吗)?"
)
_ASKING = re.compile(r"几|多少|吗|有没有|是不是|谁|什么|哪")
_SEGMENTS = re.compile(r"([，。？！,.?!；;]+)")


def simplified(text: str) -> str:
    """Return the text in simplified characters."""
    return text.translate(_TRADITIONAL)


def canonical(text: str) -> str:
    """Return the sentence in the form that the grammar knows."""
    parts = _QUOTED.split(text)
    return "".join(part if number % 2 else _rewritten(part) for number, part in enumerate(parts))


def _rewritten(text: str) -> str:
    for word, form in _WORDS:
        text = text.replace(word, form)
    for pattern, form in _FORMS:
        text = pattern.sub(form, text)
    return _without_asides(text)


def _without_asides(text: str) -> str:
    """Drop the stretches that order nothing, unless nothing else is said."""
    pieces = _SEGMENTS.split(text)
    kept: list[str] = []
    for number in range(0, len(pieces), 2):
        piece = pieces[number]
        mark = pieces[number + 1] if number + 1 < len(pieces) else ""
        aside = any(pattern.fullmatch(piece) for pattern in _ASIDES)
        asked = bool(kept) and bool(_LOOK_THEN.fullmatch(piece)) and bool(_ASKING.search(kept[-1]))
        if piece and (aside or asked):
            continue
        kept.append(piece + mark)
    joined = "".join(kept)
    return joined if joined.strip("，。？！,.?!；; ") else text
