#include "tb/explore/report/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/base/xml.hpp"

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

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    std::size_t longest = 0;
    for (const Series& series : chart.series) {
      if (series.name.empty()) continue;
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

  std::string text() {
    const double height = top_ + std::max(plot_height + below, line_height * static_cast<double>(legend_lines_) + 24);
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" "
        "font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" font-size=\"12\" fill=\"#222222\" role=\"img\">\n"
        "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        width_, height, xml_text(chart_.title));
    head();
    axes();
    for (const Series& series : chart_.series) {
      if (series.drawn == Drawn::line && !series.dotted) band(series);
    }
    for (const Series& series : chart_.series) draw(series);
    legend();
    return svg_ + "</svg>\n";
  }

 private:
  struct Entry {
    const Series* series;
    std::vector<std::string> lines;
  };

  double x(double value) const { return left + plot_width * chart_.x.at(value); }
  double y(double value) const { return top_ + plot_height * (1 - chart_.y.at(value)); }

  bool fits(const Dot& dot) const { return has_place(chart_.x.spacing, dot.x) && has_place(chart_.y.spacing, dot.y); }

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    svg_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }

  void word(double at_x, double at_y, const std::string& text, const std::string& more) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>", at_x, at_y, more, xml_text(text));
  }

  void head() {
    double at = 28;
    for (const std::string& line : titles_) {
      word(left, at, line, "font-size=\"16\" font-weight=\"bold\"");
      at += title_height;
    }
    for (const std::string& line : subtitles_) {
      word(left, at - 3, line, "fill=\"#555555\"");
      at += line_height;
    }
  }

  void axes() {
    for (const Tick& tick : chart_.y.ticks) {
      add("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#e2e2e2\"/>", left, y(tick.value), plot_width);
      word(left - 8, y(tick.value) + 4, tick.label, "text-anchor=\"end\"");
    }
    for (const Tick& tick : chart_.x.ticks) {
      add("<path d=\"M{:.1f} {:.1f}v5\" stroke=\"#777777\"/>", x(tick.value), top_ + plot_height);
      word(x(tick.value), top_ + plot_height + 20, tick.label, "text-anchor=\"middle\"");
    }
    if (chart_.rule && chart_.rule >= chart_.y.low && chart_.rule <= chart_.y.high) {
      add("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#777777\"/>", left, y(*chart_.rule), plot_width);
    }
    add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#777777\"/>", left,
        top_, plot_width, plot_height);
    word(left + plot_width / 2, top_ + plot_height + 44, chart_.x_name, "text-anchor=\"middle\"");
    const double middle = top_ + plot_height / 2;
    word(20, middle, chart_.y_name, fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 20 {:.1f})\"", middle));
  }

  // Between the ends of every dot's interval, where those can be drawn.
  void band(const Series& series) {
    std::string there, back;
    for (const Dot& dot : series.dots) {
      if (!fits(dot) || !has_place(chart_.y.spacing, dot.low) || !has_place(chart_.y.spacing, dot.high)) continue;
      there += fmt::format("{}{:.1f} {:.1f}", there.empty() ? "M" : "L", x(dot.x), clipped(dot.high));
      back = fmt::format("L{:.1f} {:.1f}", x(dot.x), clipped(dot.low)) + back;
    }
    if (there.empty()) return;
    add("<path d=\"{}{}z\" fill=\"{}\" fill-opacity=\"0.15\"/>", there, back, look(colours, series.colour));
  }

  double clipped(double value) const { return y(std::clamp(value, chart_.y.low, chart_.y.high)); }

  void draw(const Series& series) {
    switch (series.drawn) {
      case Drawn::line:
        stroke(series, false);
        if (!series.dotted && series.dots.size() <= marked) marks(series, 2.5);
        break;
      case Drawn::steps: stroke(series, true); break;
      case Drawn::dots: marks(series, 4); break;
      case Drawn::bars: bars(series); break;
    }
  }

  void stroke(const Series& series, bool stepped) {
    std::string path;
    bool pen_down = false;
    for (const Dot& dot : series.dots) {
      if (fits(dot)) {
        if (pen_down && stepped) path += fmt::format("H{:.1f}", x(dot.x));
        path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x(dot.x), y(dot.y));
      }
      pen_down = fits(dot);
    }
    if (!path.empty()) add("<path d=\"{}\" fill=\"none\" {}/>", path, stroke_of(series));
  }

  std::string stroke_of(const Series& series) const {
    // Where the colours have all been had, they come again with the next dash.
    const int kind = series.dash + series.colour / static_cast<int>(colours.size());
    const char* dash = series.dotted ? look(dotted, series.dash) : look(dashes, kind);
    return fmt::format("stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"{}\" stroke-dasharray=\"{}\"",
                       look(colours, series.colour), series.dotted ? "2" : "1.8", series.dotted ? "round" : "butt",
                       *dash == '\0' ? "none" : dash);
  }

  void marks(const Series& series, double radius) {
    for (const Dot& dot : series.dots) {
      if (!fits(dot)) continue;
      const std::string name = dot.name.empty() ? "" : "<title>" + xml_text(dot.name) + "</title>";
      add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\">{}</circle>", x(dot.x), y(dot.y), radius,
          look(colours, series.colour), name);
    }
  }

  void bars(const Series& series) {
    for (const Dot& dot : series.dots) {
      if (!fits(dot)) continue;
      const double from = x(dot.x - 0.42), to = x(dot.x + 0.42), bar_top = y(dot.y);
      add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>", from, bar_top, to - from,
          top_ + plot_height - bar_top, look(colours, series.colour));
    }
  }

  void legend() {
    const double from = left + plot_width + legend_gap;
    double at = top_ + 8;
    for (const Entry& entry : legend_) {
      if (entry.series->drawn == Drawn::dots) {
        add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>", from + 16, at,
            look(colours, entry.series->colour));
      } else {
        add("<path d=\"M{:.1f} {:.1f}h32\" fill=\"none\" {}/>", from, at, stroke_of(*entry.series));
      }
      for (const std::string& line : entry.lines) {
        word(from + 40, at + 4, line, "");
        at += line_height;
      }
    }
  }

  const Chart& chart_;
  std::vector<std::string> titles_, subtitles_;
  std::vector<Entry> legend_;
  std::size_t legend_lines_ = 0;
  double width_ = 0, top_ = 0;  // of the picture, and above the plot
  std::string svg_;
};

}  // namespace

std::string svg_text(const Chart& chart) { return Drawing(chart).text(); }

}  // namespace assay
