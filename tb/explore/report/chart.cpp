#include "tb/explore/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/base/xml.hpp"
#include "tb/explore/report/front.hpp"
#include "tb/picture/svg.hpp"

namespace assay {
namespace {

//  +-------------------------------------------+
//  | title, subtitle                           |
//  |        +--------------------+  legend     |
//  | y_name |        plot        |  legend     |
//  |        +--------------------+             |
//  |               x_name                      |
//  +-------------------------------------------+
constexpr double left = 84, plot_width = 640, plot_height = 400, below = 58, legend_gap = 24;
constexpr double line_height = 18, title_height = 22, character = 7.5;  // of text of 12 pixels
constexpr double bold_character = 11.5;                                 // of 16 pixels
constexpr std::size_t legend_room = 48;                                 // characters
constexpr std::size_t marked = 64;                                      // dots of a line that get a mark each

// Told apart by people who see no red or no green too, and dark enough on white (3 to 1 and more).
constexpr std::array colours{"#0072b2", "#d55e00", "#00805e", "#a6458a", "#8a6d00", "#444444"};
constexpr std::array dashes{"", "8 3", "2 3", "9 3 2 3"};
constexpr std::array dotted{"1 4", "1 4 6 4", "1 4 1 4 6 4", "12 4"};  // references

template <class Looks>
const char* look(const Looks& looks, int i) {
  return looks[static_cast<std::size_t>(i) % looks.size()];
}

// Words in lines of `room` characters; a longer word has a line for itself.
std::vector<std::string> wrapped(const std::string& text, std::size_t room) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t end = text.size();
    if (end - from > room) {
      const std::size_t space = text.rfind(' ', from + room);
      end = space != std::string::npos && space > from ? space : std::min(text.find(' ', from), text.size());
    }
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

std::string word(double x, double y, const std::string& text, const std::string& more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", x, y, more, xml_text(text));
}

bool fits(const Chart& chart, const Dot& dot) {
  return has_place(chart.x.spacing, dot.x) && has_place(chart.y.spacing, dot.y);
}

bool is_drawn(const Chart& chart, const Series& series) {
  return std::any_of(series.dots.begin(), series.dots.end(), [&](const Dot& dot) { return fits(chart, dot); });
}

// The class is what the page's style sheet colours by; the attributes are what a file has.
std::string colours_of(const Series& series) {
  const char* const colour = look(colours, series.colour);
  return fmt::format("class=\"line c{}\" fill=\"{}\" stroke=\"{}\"",
                     static_cast<std::size_t>(series.colour) % colours.size(), colour, colour);
}

std::string stroke_of(const Series& series) {
  // Where the colours have all been had, they come again with the next dash.
  const int kind = series.dash + series.colour / static_cast<int>(colours.size());
  const char* const dash = series.dotted ? look(dotted, series.dash) : look(dashes, kind);
  return fmt::format("fill=\"none\" stroke-width=\"{}\" stroke-linecap=\"{}\" stroke-dasharray=\"{}\"",
                     series.dotted ? "2" : "1.8", series.dotted ? "round" : "butt", *dash == '\0' ? "none" : dash);
}

// A dot is a line of no length with a round end.
std::string dots_of(const Series& series) {
  return fmt::format("fill=\"none\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                     series.drawn == Drawn::front ? 8 : 5);
}

// What stands in the legend before a name, in a box of 32 x 8; page.js has the same.
std::string swatch(const Series& series) {
  if (series.drawn == Drawn::front) return fmt::format("<path d=\"M16 4h0\" {}/>", dots_of(series));
  return fmt::format("<path d=\"M0 4h32\" {}/>", stroke_of(series));
}

// The plot without what stands around it. Axes are placed by per cent, so that it may be stretched; lines in units of
// plot_width x plot_height.
class Plotted {
 public:
  explicit Plotted(const Chart& chart) : chart_(chart) {}

  std::string text() {
    upward();
    across();
    add("<rect width=\"100%\" height=\"100%\" fill=\"none\" stroke=\"#777777\" class=\"rule\"/>");
    add("<svg class=\"area\" width=\"100%\" height=\"100%\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" "
        "overflow=\"visible\"{}>",
        plot_width, plot_height, columns());
    for (const Series& series : chart_.series) draw(series);
    return svg_ + "</svg>\n";
  }

 private:
  double x(double value) const { return plot_width * chart_.x.at(value); }
  double y(double value) const { return plot_height * (1 - chart_.y.at(value)); }
  double per_cent_up(double value) const { return 100 * (1 - chart_.y.at(value)); }
  bool fits(const Dot& dot) const { return assay::fits(chart_, dot); }

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    svg_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  void line_across(double at, const std::string& more) {
    add("<line x2=\"100%\" y1=\"{0:.2f}%\" y2=\"{0:.2f}%\"{1}/>", per_cent_up(at), more);
  }

  void upward() {
    add("<g class=\"grid\" stroke=\"#e2e2e2\">");
    for (const Tick& tick : chart_.y.ticks) line_across(tick.value, "");
    if (chart_.rule && chart_.rule >= chart_.y.low && chart_.rule <= chart_.y.high) {
      line_across(*chart_.rule, " stroke=\"#777777\" class=\"rule\"");
    }
    add("</g>\n<g class=\"y-ticks\" text-anchor=\"end\">");
    for (const Tick& tick : chart_.y.ticks) {
      add("<text x=\"-8\" y=\"{:.2f}%\" dy=\"4\">{}</text>", per_cent_up(tick.value), xml_text(tick.label));
    }
    add("</g>\n<svg y=\"50%\" overflow=\"visible\"><text class=\"y-name\" text-anchor=\"middle\" "
        "transform=\"translate(-64 0) rotate(-90)\">{}</text></svg>",
        xml_text(chart_.y_name));
  }

  void across() {
    add("<svg y=\"100%\" overflow=\"visible\" text-anchor=\"middle\">");
    for (const Tick& tick : chart_.x.ticks) {
      const double at = 100 * chart_.x.at(tick.value);
      add("<line x1=\"{0:.2f}%\" x2=\"{0:.2f}%\" y2=\"5\" stroke=\"#777777\" class=\"rule\"/><text x=\"{0:.2f}%\" "
          "y=\"20\"{1}>{2}</text>",
          at, tick.where_wide ? " class=\"wide\"" : "", xml_text(tick.label));
    }
    add("<text class=\"x-name\" x=\"50%\" y=\"44\">{}</text></svg>", xml_text(chart_.x_name));
  }

  // Every x that any dot has, in order; dots say theirs by its number.
  std::string columns() {
    for (const Series& series : chart_.series) {
      for (const Dot& dot : series.dots) columns_.push_back(dot.x);
    }
    std::sort(columns_.begin(), columns_.end());
    columns_.erase(std::unique(columns_.begin(), columns_.end()), columns_.end());
    std::string text;
    for (const double column : columns_) text += fmt::format("{}{:.1f}", text.empty() ? "" : " ", x(column));
    return " data-x=\"" + text + "\"";
  }

  std::string places(const Series& series) const {
    std::string text;
    for (const Dot& dot : series.dots) {
      if (dot.row < 0) continue;
      const auto column = std::lower_bound(columns_.begin(), columns_.end(), dot.x) - columns_.begin();
      text += fmt::format("{}{},{}", text.empty() ? "" : " ", column, dot.row);
    }
    return text.empty() ? "" : " data-points=\"" + text + "\"";
  }

  void draw(const Series& series) {
    add("<g {} data-name=\"{}\"{}{}>", colours_of(series), xml_attribute(series.name), places(series),
        series.dotted ? " data-reference=\"\"" : "");
    switch (series.drawn) {
      case Drawn::line:
        if (!series.dotted) part("band", band(series), "stroke=\"none\" fill-opacity=\"0.15\"");
        part("stroke", joined(series.dots, false), stroke_of(series));
        if (!series.dotted && series.dots.size() <= marked) part("dots", marks(series), dots_of(series));
        break;
      case Drawn::front:
        part("stairs", joined(pareto_front(drawable(series)), true), stroke_of(series));
        named_marks(series);
        break;
      case Drawn::bars: part("bars", bars(series), "stroke=\"none\""); break;
    }
    add("</g>");
  }

  void part(const char* name, const std::string& path, const std::string& more) {
    add("<path class=\"{}\" {}{}/>", name, more, path.empty() ? "" : " d=\"" + path + "\"");
  }

  std::vector<Dot> drawable(const Series& series) const {
    std::vector<Dot> all;
    std::copy_if(series.dots.begin(), series.dots.end(), std::back_inserter(all),
                 [this](const Dot& dot) { return fits(dot); });
    return all;
  }

  // Between the ends of every dot's interval, where those can be drawn.
  std::string band(const Series& series) const {
    std::string there, back;
    for (const Dot& dot : series.dots) {
      if (!fits(dot) || !has_place(chart_.y.spacing, dot.low) || !has_place(chart_.y.spacing, dot.high)) continue;
      there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : "L", x(dot.x), clipped(dot.high));
      back = fmt::format("L{:.1f} {:.1f}", x(dot.x), clipped(dot.low)) + back;
    }
    return there.empty() ? "" : there + back + "z";
  }

  double clipped(double value) const { return y(std::clamp(value, chart_.y.low, chart_.y.high)); }

  std::string joined(const std::vector<Dot>& dots, bool stepped) const {
    std::string path;
    bool pen_down = false;
    for (const Dot& dot : dots) {
      if (fits(dot)) {
        if (pen_down && stepped) path += fmt::format("H{:.1f}", x(dot.x));
        path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x(dot.x), y(dot.y));
      }
      pen_down = fits(dot);
    }
    return path;
  }

  std::string mark(const Dot& dot) const { return fmt::format("M{:.1f} {:.1f}h0", x(dot.x), y(dot.y)); }

  std::string marks(const Series& series) const {
    std::string path;
    for (const Dot& dot : drawable(series)) path += mark(dot);
    return path;
  }

  void named_marks(const Series& series) {
    add("<g class=\"dots\" {}>", dots_of(series));
    for (const Dot& dot : drawable(series)) {
      add("<path d=\"{}\"><title>{}</title></path>", mark(dot), xml_text(dot.name));
    }
    add("</g>");
  }

  std::string bars(const Series& series) const {
    std::string path;
    for (const Dot& dot : drawable(series)) {
      path += fmt::format("M{:.1f} {:.1f}V{:.1f}H{:.1f}V{:.1f}z", x(dot.x - 0.42), plot_height, y(dot.y),
                          x(dot.x + 0.42), plot_height);
    }
    return path;
  }

  const Chart& chart_;
  std::vector<double> columns_;
  std::string svg_;
};

// A file: the plot, its titles, its legend.
class Sheet {
 public:
  explicit Sheet(const Chart& chart) : chart_(chart) {
    std::size_t longest = 0;
    for (const Series& series : chart.series) {
      if (series.name.empty() || !is_drawn(chart, series)) continue;
      legend_.push_back({&series, wrapped(series.name, legend_room)});
      for (const std::string& line : legend_.back().lines) longest = std::max(longest, line.size());
      legend_lines_ += legend_.back().lines.size();
    }
    width_ = left + plot_width + (legend_.empty() ? 24 : legend_gap + 40 + character * static_cast<double>(longest));
    titles_ = wrapped(chart.title, static_cast<std::size_t>((width_ - left) / bold_character));
    subtitles_ = wrapped(chart.subtitle, static_cast<std::size_t>((width_ - left) / character));
    top_ =
        26 + title_height * static_cast<double>(titles_.size()) + line_height * static_cast<double>(subtitles_.size());
  }

  std::string text() const {
    const double height = top_ + std::max(plot_height + below, line_height * static_cast<double>(legend_lines_) + 24);
    const std::string plot =
        fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" overflow=\"visible\">\n{}</svg>\n", left, top_,
                    plot_width, plot_height, Plotted(chart_).text());
    return svg_picture(width_, height, chart_.title,
                       " font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" font-size=\"12\" fill=\"#222222\"",
                       "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + head() + plot + legend());
  }

 private:
  struct Entry {
    const Series* series;
    std::vector<std::string> lines;
  };

  std::string head() const {
    std::string svg;
    double at = 28;
    for (const std::string& line : titles_) {
      svg += word(left, at, line, " font-size=\"16\" font-weight=\"bold\"");
      at += title_height;
    }
    for (const std::string& line : subtitles_) {
      svg += word(left, at - 3, line, " fill=\"#555555\"");
      at += line_height;
    }
    return svg;
  }

  std::string legend() const {
    std::string svg;
    const double from = left + plot_width + legend_gap;
    double at = top_ + 8;
    for (const Entry& entry : legend_) {
      svg += fmt::format("<g {} transform=\"translate({} {:.1f})\">{}</g>\n", colours_of(*entry.series), from, at - 4,
                         swatch(*entry.series));
      for (const std::string& line : entry.lines) {
        svg += word(from + 40, at + 4, line, "");
        at += line_height;
      }
    }
    return svg;
  }

  const Chart& chart_;
  std::vector<std::string> titles_, subtitles_;
  std::vector<Entry> legend_;
  std::size_t legend_lines_ = 0;
  double width_ = 0, top_ = 0;  // of the picture, and above the plot
};

std::string entry_html(const Series& series) {
  return fmt::format("<li><svg width=\"32\" height=\"8\" aria-hidden=\"true\"><g {}>{}</g></svg>{}</li>\n",
                     colours_of(series), swatch(series), xml_text(series.name));
}

}  // namespace

std::string svg_text(const Chart& chart) { return Sheet(chart).text(); }

std::string picture_html(const Chart& chart, const std::string& heading, const std::string& more) {
  std::string legend;
  for (const Series& series : chart.series) {
    if (!series.name.empty() && is_drawn(chart, series)) legend += entry_html(series);
  }
  return fmt::format(
      "<div class=\"picture\"{}>\n<h3>{}</h3>\n<div class=\"canvas\" role=\"img\" aria-label=\"{} over {}\">\n"
      "<svg class=\"plot\" overflow=\"visible\">\n{}</svg>\n</div>\n<ul class=\"legend\">\n{}</ul>\n</div>\n",
      more, xml_text(heading), xml_attribute(chart.y_name), xml_attribute(chart.x_name), Plotted(chart).text(), legend);
}

}  // namespace assay
