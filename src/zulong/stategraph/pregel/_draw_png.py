"""Draws a graph as PNG with Pillow: nodes in layers by their distance from the start, edges as arrows."""

from __future__ import annotations

import io
import itertools
import math
from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import END, START

if TYPE_CHECKING:
    from zulong.stategraph.pregel._draw import Graph

MARGIN, ROW, GAP, HEIGHT, PAD = 30, 90, 30, 36, 14
INK, FILL, FAINT = (40, 40, 60), (242, 240, 255), (191, 182, 252)


def render_png(graph: Graph) -> bytes:
    """The picture as PNG bytes.

    Raises:
        ImportError: Pillow is missing.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as exc:
        raise ImportError("Drawing a graph as PNG needs Pillow: pip install 'zulong[draw]'.") from exc
    font = ImageFont.load_default(size=14)
    rows = _rows(graph)
    widths = {n: int(font.getlength(n)) + 2 * PAD for row in rows for n in row}
    row_widths = [sum(widths[n] for n in row) + GAP * (len(row) - 1) for row in rows]
    full = max(row_widths, default=100) + 2 * MARGIN + 60
    places: dict[str, tuple[float, float]] = {}
    for depth, row in enumerate(rows):
        x = (full - row_widths[depth]) / 2
        for name in row:
            places[name] = (x + widths[name] / 2, MARGIN + depth * ROW + HEIGHT / 2)
            x += widths[name] + GAP
    image = Image.new("RGB", (int(full), 2 * MARGIN + (len(rows) - 1) * ROW + HEIGHT), "white")
    pen = ImageDraw.Draw(image)
    for edge in graph.edges:
        if edge.source in places and edge.target in places:
            _arrow(pen, places[edge.source], places[edge.target], edge.conditional, edge.data, font)
    for name, (x, y) in places.items():
        half = widths[name] / 2
        fill = FAINT if name == END else "white" if name == START else FILL
        pen.rounded_rectangle((x - half, y - HEIGHT / 2, x + half, y + HEIGHT / 2), 9, fill=fill, outline=INK)
        pen.text((x, y), name, fill=INK, font=font, anchor="mm")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _rows(graph: Graph) -> list[list[str]]:
    """Node names by their distance from the start; END last."""
    distance = {START: 0} if START in graph.nodes else {next(iter(graph.nodes), START): 0}
    front = list(distance)
    while front:
        following = []
        for edge in graph.edges:
            if edge.source in front and edge.target not in distance and edge.target != END:
                distance[edge.target] = distance[edge.source] + 1
                following.append(edge.target)
        front = following
    deepest = max(distance.values(), default=0)
    for name in graph.nodes:
        if name != END and name not in distance:
            distance[name] = deepest = deepest + 1
    if END in graph.nodes:
        distance[END] = max(distance.values()) + 1
    rows: list[list[str]] = [[] for _ in range(max(distance.values(), default=0) + 1)]
    for name in graph.nodes:
        rows[distance[name]].append(name)
    return [row for row in rows if row]


def _arrow(
    pen: Any, start: tuple[float, float], end: tuple[float, float], dashed: bool, label: str | None, font: Any
) -> None:
    (x1, y1), (x2, y2) = start, end
    if y2 > y1:  # downward: from the lower border to the upper
        points = [(x1, y1 + HEIGHT / 2), (x2, y2 - HEIGHT / 2)]
    else:  # back: round the right side
        side = max(x1, x2) + 90
        points = [(x1 + 20, y1), (side, y1), (side, y2), (x2 + 20, y2)]
    for a, b in itertools.pairwise(points):
        _line(pen, a, b, dashed)
    (ax, ay), (bx, by) = points[-2], points[-1]
    angle = math.atan2(by - ay, bx - ax)
    wings = [(bx - 9 * math.cos(angle + t), by - 9 * math.sin(angle + t)) for t in (0.4, -0.4)]
    pen.polygon([(bx, by), *wings], fill=INK)
    if label:
        (cx, cy), (dx, dy) = points[0], points[1]
        pen.text(((cx + dx) / 2 + 4, (cy + dy) / 2), label, fill=INK, font=font, anchor="lm")


def _line(pen: Any, a: tuple[float, float], b: tuple[float, float], dashed: bool) -> None:
    if not dashed:
        pen.line([a, b], fill=INK, width=1)
        return
    length = math.dist(a, b)
    steps = max(1, int(length / 5))
    for i in range(0, steps, 2):
        t, u = i / steps, min(1.0, (i + 1) / steps)
        pen.line(
            [
                (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t),
                (a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u),
            ],
            fill=INK,
            width=1,
        )
