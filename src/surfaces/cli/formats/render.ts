/** Renders a report in any format. Loads rarely used formats on demand. */
import { renderJson } from './json.ts';
import { renderText, type TextView } from './text.ts';
import { isChecked, type ScanReport } from '../scanReport.ts';
import type { FormatName } from './destinations.ts';
import type { Surroundings } from './listed.ts';

/** Yields the text of a report in pieces. */
export async function renderAs(
  format: FormatName,
  report: ScanReport,
  view: TextView,
  surroundings: Surroundings,
): Promise<Iterable<string>> {
  switch (format) {
    case 'text':
      if (!isChecked(report)) return renderText(report, view);
      return (await import('../check/renderCheck.ts')).renderCheck(report, view);
    case 'json':
      return renderJson(report);
    case 'sarif':
      return (await import('./sarif.ts')).renderSarif(report, surroundings);
    case 'github':
      return (await import('./github.ts')).renderGithub(report, surroundings);
    case 'gitlab':
    case 'codeclimate':
      return (await import('./codeClimate.ts')).renderCodeClimate(report, surroundings);
    case 'rdjson':
      return (await import('./rdjson.ts')).renderRdjson(report, surroundings);
    case 'junit':
      return (await import('./junit.ts')).renderJunit(report, surroundings);
    case 'csv':
      return (await import('./csv.ts')).renderCsv(report, surroundings);
    case 'markdown':
      return (await import('./markdown.ts')).renderMarkdown(report, surroundings);
    case 'html':
      return (await import('./html.ts')).renderHtml(report, surroundings);
  }
}
