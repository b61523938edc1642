"""An agent with a tool, on plain dictionaries: no message library is needed."""

from typing import Any

from zulong.stategraph.graph import START, MessagesState, StateGraph
from zulong.stategraph.prebuilt import ToolNode, tools_condition

BATTERY = {"percent": 17}


def battery() -> int:
    """The charge of the battery in percent."""
    return BATTERY["percent"]


def model(state: MessagesState) -> dict[str, Any]:
    """Stands in for a language model: asks for the tool once, then answers."""
    last = state["messages"][-1]
    if last["role"] == "tool":
        return {"messages": [{"role": "assistant", "content": f"The battery is at {last['content']} %."}]}
    call = {"id": "1", "name": "battery", "args": {}}
    return {"messages": [{"role": "assistant", "content": "", "tool_calls": [call]}]}


builder = StateGraph(MessagesState).add_node(model).add_node(ToolNode([battery]))
builder.add_edge(START, "model").add_conditional_edges("model", tools_condition).add_edge("tools", "model")
agent = builder.compile(name="battery agent")


def main() -> str:
    answer = agent.invoke({"messages": [("user", "How is the battery?")]})["messages"][-1]["content"]
    print(answer)
    return answer


if __name__ == "__main__":
    main()
