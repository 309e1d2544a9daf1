"""Drawings for notebooks: plain HTML and SVG, without scripts and without anything fetched."""

from __future__ import annotations

from html import escape
from typing import Any

_CELL, _LINE, _LABEL = 11, 20, 230  # pixels of a bit, of a row, of the labels before it
_MOST_BITS = 110  # a row of more is drawn from its greatest bit on
_MOST_ROWS = 80

# Colours that are readable on a light page and on a dark one.
_STYLE = (
    "<style>.assay{font:13px sans-serif;color:inherit}.assay td,.assay th{padding:1px 8px;text-align:left;vertical-align:top}"
    ".assay code,.assay text{font-family:monospace}.assay .bad{color:#d33}.assay .good{color:#2a2}</style>"
)


def explanation(e: Any) -> str:
    """The bits of each place that is not zero, on one axis of powers of two, and what becomes of them."""
    differences = [d["place"] for d in e.get("sides", {}).get("differences", [])]
    rows = [row for place in e["places"] if (row := _row(place)) is not None]
    error = e["result"].get("error", {}).get("ulps")
    said = f"d = <code>{escape(e['d'])}</code>"
    if e["result"]["number"].get("value"):
        said += f", {escape(e['result']['number']['value']['decimal'])}"
    if error is not None:
        said += f"; {escape(str(error))} ulp from the exact sum"
    if differences:
        said += f"; <span class=bad>the sides part at {escape(differences[0])}</span>"
    more = f"<p>{len(rows) - _MOST_ROWS} more places.</p>" if len(rows) > _MOST_ROWS else ""
    return f"{_STYLE}<div class=assay><b>{escape(e['subject'])}</b><br>{said}{_bits(rows[:_MOST_ROWS], differences)}{more}</div>"


def _row(place: Any) -> tuple[str, str, bool, str, int] | None:
    """Place, label, sign, bits, and the power of two of the first bit; nothing where it is no number or zero."""
    value = place.get("value")
    if not value or value["significand"] == "0":
        return None
    bits = format(abs(int(value["significand"])), "b")
    return place["place"], place.get("label", ""), bool(place.get("negative")), bits, value["quantum"] + len(bits) - 1


def _bits(rows: list[tuple[str, str, bool, str, int]], marked: list[str]) -> str:
    if not rows:
        return "<p>Every place is zero.</p>"
    top = max(first for *_, first in rows)
    lowest = max(min(first - len(bits) + 1 for *_, bits, first in rows), top - _MOST_BITS + 1)
    width, height = _LABEL + (top - lowest + 2) * _CELL, (len(rows) + 1) * _LINE + 6
    parts = [
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}" fill="currentColor" font-size="11">'
    ]
    for power in range(lowest, top + 1):
        if power % 8 == 0:
            x = _LABEL + (top - power) * _CELL
            parts.append(f'<text x="{x}" y="12" opacity=".7">2^{power}</text>')
            parts.append(f'<line x1="{x}" y1="16" x2="{x}" y2="{height}" stroke="currentColor" opacity=".15"/>')
    for number, (name, label, negative, bits, first) in enumerate(rows, start=1):
        y = number * _LINE + 14
        colour = ' fill="#d33"' if name in marked else ""
        parts.append(
            f'<g{colour}><title>{escape(name)}: {escape(label)}</title><text x="0" y="{y}">{escape(name[:30])}</text>'
        )
        parts.append(f'<text x="{_LABEL - 14}" y="{y}">{"-" if negative else "+"}</text>')
        for i, bit in enumerate(bits):
            if first - i < lowest:
                break
            x = _LABEL + (top - first + i) * _CELL
            faint = "" if bit == "1" else ' opacity=".45"'
            parts.append(f'<text x="{x}" y="{y}"{faint}>{bit}</text>')
        parts.append("</g>")
    return "".join(parts) + "</svg>"


def comparison(found: Any) -> str:
    summary = found["summary"]
    word = summary["conclusion"]
    kind = "good" if found.passed else "bad"
    lines = "".join(f"<li>{escape(line)}</li>" for line in found.get("explanation", []))
    rows = "".join(_failure(failure) for failure in found.get("failures", []))
    table = f"<table><tr><th>case<th>expected<th>got<th>first place<th>again</tr>{rows}</table>" if rows else ""
    return (
        f"{_STYLE}<div class=assay><b>{escape(found.get('subject', ''))}</b>: {escape(found['devices'])}: "
        f"<b class={kind}>{escape(word)}</b>. {escape(found.message)} {summary['compared']} compared, "
        f"{summary['differs']} differ.<ul>{lines}</ul>{table}</div>"
    )


def _failure(failure: Any) -> str:
    place = failure.get("first_place", failure.get("place", ""))
    place = place.get("place", "") if isinstance(place, dict) else place
    cells = [
        failure.get("case", ""),
        failure.get("expected", ""),
        failure.get("got", ""),
        place,
        failure.get("again", ""),
    ]
    return "<tr>" + "".join(f"<td><code>{escape(str(cell))}</code></td>" for cell in cells) + "</tr>"


def framed(page: str) -> str:
    """A whole page in a frame of its own: its style and script stay there."""
    return f'<iframe srcdoc="{escape(page)}" style="width:100%;height:640px;border:0" title="study"></iframe>'
