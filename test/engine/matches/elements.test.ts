/** Passages of lists begin and end with whole elements. */
import assert from 'node:assert/strict';
import { groupsOf, placesOf } from '../corpusOf.ts';

suite('elements of lists', () => {
  /** Lines of a chart: its own fields, and what charts have in common. */
  function chart(ownFields: readonly string[], targets: readonly string[], sort: readonly string[]): string[] {
    return [
      '  {',
      ...ownFields,
      ...targets,
      '    "options": {',
      '      "legend": { "mode": "table", "placement": "right" },',
      '      "calculations": ["mean", "max"],',
      '      "tooltip": {',
      ...sort,
      '      }',
      '    },',
    ];
  }

  const target = (expression: string): string[] => [
    '    "targets": [',
    '      {',
    `        "expression": "${expression}",`,
    '        "legend": "{{service}}",',
    '        "range": true,',
    '        "id": "A"',
    '      }',
    '    ],',
  ];
  const sort = ['        "mode": "multiple",', '        "sort": "descending"'];

  const list = [
    '[',
    ...chart([], [], sort),
    '    "unit": "gamma",',
    '    "title": "kappa"',
    '  },',
    ...chart(['    "alpha": true,'], target('alpha'), []),
    '    "title": "omega"',
    '  },',
    ...chart(['    "delta": true,', '    "sigma": true,'], [], sort),
    '    "unit": "beta",',
    '    "title": "omega"',
    '  },',
    ...chart([], target('alpha beta gamma'), []),
    '    "unit": "alpha",',
    '    "title": "sigma"',
    '  },',
    ...chart(['    "lambda": true,'], ['    "targets": [', '      {', '        "id": "A"', '      }', '    ],'], sort),
    '    "title": "delta"',
    '  }',
    ']',
  ];

  test('in data, a passage does not begin within the previous element', () => {
    const [group] = groupsOf({ 'a.json': list.join('\n') });
    assert.deepEqual(placesOf(group), ['a.json:2-31', 'a.json:32-63']);
  });

  test('in code, a passage does not begin within the previous element', () => {
    const [group] = groupsOf({ 'a.js': `export const charts = ${list.join('\n')};` });
    assert.deepEqual(placesOf(group), ['a.js:14-45', 'a.js:46-80']);
  });

  test('a passage does not begin with the call before an element', () => {
    const element = (name: string): string[] => [
      '    {',
      `      Name:     "${name}",`,
      '      Columns:  []string{"alpha", "beta", "gamma"},',
      '      Position: position{line: 12, column: 4},',
      '      Options:  map[string]int{"inset": 2, "width": 40},',
      '      Labels:   labels("kappa", "lambda", "omega"),',
      '    },',
    ];
    const lines = [
      'func rows() []Row {',
      '  return []Row{',
      '    row(1),',
      ...element('first'),
      '    last(2, "three"),',
      ...element('second'),
      '  }',
      '}',
    ];
    const [group] = groupsOf({ 'a.go': lines.join('\n') });
    assert.deepEqual(placesOf(group), ['a.go:4-10', 'a.go:12-18']);
  });
});
