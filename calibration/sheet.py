"""The printable sheet of markers, as a PDF of vectors: true to scale on A4 and Letter.

Written by hand after ISO 32000-1 (PDF 1.4): black squares and a few words need no library.
"""

from __future__ import annotations

from calibration.markers import CELLS, LARGE, SMALL, Stickers, cells

PAPERS: dict[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # millimetres
POINTS_PER_MM = 72 / 25.4
RULER_MM = 100
LEFT_MM, GAP_MM = 17.0, 4.0
TITLE = "Table companion: markers for the corners of the dice tray"
NOTES = (
    "Print at 100 %, without fitting to the page, and check the ruler with a real one.",
    "Cut along the thin lines. Lay marker 0 into the far left corner of the tray's floor, then 1, 2, 3 clockwise,",
    "all with the number away from you. Take them out again when you are told to.",
)
PLACES = ("far left", "far right", "near right", "near left")
SMALL_NOTES = ("Smaller stickers, for a small tray or a near camera: used the same way.",)


def sheet(paper: str) -> bytes:
    """The PDF for a paper of PAPERS. Raises KeyError for another."""
    page = _Page(PAPERS[paper])
    y = 20.0
    page.text(LEFT_MM, y, TITLE, size=14)
    for note in NOTES:
        y += 6
        page.text(LEFT_MM, y, note)
    y += 14
    _row(page, LARGE, y)
    y += LARGE.whole_mm + 14
    _ruler(page, y)
    y += 24
    for note in SMALL_NOTES:
        page.text(LEFT_MM, y, note)
        y += 8
    _row(page, SMALL, y)
    return page.document()


def _row(page: _Page, stickers: Stickers, top: float) -> None:
    for place in range(4):
        left = LEFT_MM + place * (stickers.whole_mm + GAP_MM)
        page.outline(left, top, stickers.whole_mm, stickers.whole_mm)
        _marker(page, stickers, place, left + stickers.quiet_mm, top + stickers.quiet_mm)
        number = str(place)
        page.text(left + stickers.whole_mm / 2, top + 0.8 * stickers.quiet_mm, number, size=2 * stickers.quiet_mm)
        page.text(left, top - 1.5, PLACES[place], size=6)


def _marker(page: _Page, stickers: Stickers, place: int, left: float, top: float) -> None:
    """All its black is filled as one path: filled by itself, each rectangle leaves a grey hairline where one ends and
    the next begins within a pixel."""
    pattern = cells(stickers.first + place)
    cell = stickers.side_mm / CELLS
    boxes = []
    for row in range(CELLS):
        column = 0
        while column < CELLS:
            end = column
            while end < CELLS and pattern[row, end] == 0:
                end += 1
            if end > column:
                boxes.append((left + column * cell, top + row * cell, (end - column) * cell, cell))
            column = end + 1
    page.black(*boxes)


def _ruler(page: _Page, top: float) -> None:
    page.black((LEFT_MM, top, RULER_MM, 0.3))
    for mm in range(0, RULER_MM + 1, 5):
        page.black((LEFT_MM + mm - 0.1, top, 0.2, 5.0 if mm % 10 == 0 else 3.0))
    page.text(LEFT_MM, top + 9, f"This line is {RULER_MM} mm long.")


class _Page:
    """Millimetres from the top left, as people lay out a page; PDF counts points from the bottom left."""

    def __init__(self, size_mm: tuple[float, float]) -> None:
        self._width_mm, self._height_mm = size_mm
        self._drawn: list[str] = []

    def black(self, *boxes: tuple[float, float, float, float]) -> None:
        """Fills them as one path. Each: from the left, from the top, width, height."""
        self._drawn.append(" ".join((*(f"{self._box(*box)} re" for box in boxes), "f")))

    def outline(self, x: float, y: float, w: float, h: float) -> None:
        self._drawn.append(f"0.2 w 0.6 G {self._box(x, y, w, h)} re S 0 G")

    def text(self, x: float, y: float, words: str, *, size: float = 9) -> None:
        safe = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        place = f"{x * POINTS_PER_MM:.3f} {(self._height_mm - y) * POINTS_PER_MM:.3f}"
        self._drawn.append(f"BT /F1 {size:g} Tf {place} Td ({safe}) Tj ET")

    def _box(self, x: float, y: float, w: float, h: float) -> str:
        sides = (x, self._height_mm - y - h, w, h)
        return " ".join(f"{side * POINTS_PER_MM:.4f}" for side in sides)

    def document(self) -> bytes:
        """Five objects and where each begins. Viewers are asked not to scale on printing."""
        stream = "\n".join(self._drawn).encode("cp1252")
        size = f"{self._width_mm * POINTS_PER_MM:.3f} {self._height_mm * POINTS_PER_MM:.3f}"
        objects = (
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 5 0 R"
            " /Resources << /Font << /F1 4 0 R >> >> >>".encode(),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            b"<< /Length " + str(len(stream)).encode() + b" >>\nstream\n" + stream + b"\nendstream",
        )
        out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        begins = []
        for number, content in enumerate(objects, 1):
            begins.append(len(out))
            out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
        table = "".join(f"{begin:010d} 00000 n \n" for begin in begins)
        end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
        end += f"<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
        return bytes(out) + end.encode()
