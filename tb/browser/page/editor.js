"use strict";
// A datapath as a file, edited in CodeMirror, with what is wrong below the line where it is wrong.

class DatapathEditor {
  // changed(text): the reader has changed it.
  constructor(label, changed) {
    Object.assign(this, {label, changed, lines: null, marks: []});
    this.element = el("div", {class: "editor", hidden: true});
  }

  // `text` undefined: there is no file. Errors are {line, sentence}, from line 1 on.
  show(text, errors) {
    this.element.hidden = text === undefined;
    if (this.element.hidden) return;
    this.lines ||= this.make();
    if (this.lines.getValue() !== text) this.lines.setValue(text);
    this.lines.operation(() => this.mark(errors));
  }

  // Only once it can be seen: CodeMirror measures its letters. The tab key leaves it, as it leaves everything else.
  make() {
    const lines = CodeMirror(this.element, {mode: "yaml", lineNumbers: true, inputStyle: "contenteditable", viewportMargin: Infinity,
      screenReaderLabel: this.label, extraKeys: {Tab: false, "Shift-Tab": false}});
    lines.on("change", (_, {origin}) => { if (origin !== "setValue") this.changed(lines.getValue()); });
    return lines;
  }

  // The sentences are read aloud where they are listed, below the editor.
  mark(errors) {
    for (const {at, widget} of this.marks) {
      for (const where of ["background", "gutter"]) this.lines.removeLineClass(at, where, "at");
      widget.clear();
    }
    this.marks = errors.filter(({line}) => line > 0 && line <= this.lines.lineCount()).map(({line, sentence}) => {
      const at = this.lines.getLineHandle(line - 1);
      for (const where of ["background", "gutter"]) this.lines.addLineClass(at, where, "at");
      return {at, widget: this.lines.addLineWidget(at, el("div", {class: "said", "aria-hidden": "true"}, sentence), {noHScroll: true})};
    });
    this.lines.getInputField().setAttribute("aria-invalid", errors.length > 0);
  }

  focus() { this.lines.focus(); }

  choose_line(line) {
    this.lines.focus();
    this.lines.setSelection({line: line - 1, ch: 0}, {line: line - 1, ch: this.lines.getLine(line - 1).length});
  }
}
