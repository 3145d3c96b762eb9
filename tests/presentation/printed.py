"""What every chart for print must be."""

from matplotlib.figure import Figure


def judge(name: str, figure: Figure) -> None:
    figure.draw_without_rendering()
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    assert len(legends) == 1, name
    named = {" ".join(text.get_text().split()) for text in legends[0].get_texts()}
    assert len(named) == len(legends[0].get_texts()), name
    texts = [(text.get_text(), text.get_window_extent()) for text in legends[0].get_texts()]
    for axes in figure.axes:
        for line in axes.lines:
            assert not line.get_label().startswith("_"), f"{name}: a line without a name"
            assert line.get_label() in named, f"{name}: {line.get_label()}"
        if axes.axison:
            assert axes.lines, f"{name}: an empty panel"
            own = [axes.title, axes.xaxis.label, axes.yaxis.label]
            for axis in (axes.xaxis, axes.yaxis):
                low, high = sorted(axis.get_view_interval())
                own += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            texts += [(text.get_text(), text.get_window_extent()) for text in own if text.get_visible()]
    texts += [(text.get_text(), text.get_window_extent()) for text in figure.texts]
    texts = [(text, extent) for text, extent in texts if text.strip()]
    for number, (text, extent) in enumerate(texts):
        inside = figure.bbox.x0 - 1 <= extent.x0 < extent.x1 <= figure.bbox.x1 + 1
        inside &= figure.bbox.y0 - 1 <= extent.y0 < extent.y1 <= figure.bbox.y1 + 1
        assert inside, f"{name}: {text!r} is cut off"
        for other, place in texts[:number]:
            across = min(extent.x1, place.x1) - max(extent.x0, place.x0)
            down = min(extent.y1, place.y1) - max(extent.y0, place.y0)
            assert min(across, down) <= 1, f"{name}: {text!r} on {other!r}"
