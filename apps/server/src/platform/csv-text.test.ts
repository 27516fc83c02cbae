import { describe, expect, it } from 'vitest'
import { originalText, readCsv } from '../../test/support/read-csv.ts'
import { csvHeader, csvLine } from '@pegasus/contracts/csv-text'

const FORMULA = 'HYPERLINK("http://evil.example","Click")'
/** `BEGINNINGS` start a formula in a spreadsheet. Spreadsheets ignore `PASSED_OVER` in front of them. */
const BEGINNINGS = ['=', '+', '-', '@', '\u2212', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '⁺', '⁻']
const PASSED_OVER = [
  '',
  ' ',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\u00a0',
  '\u3000',
  '\u2028',
  '\ufeff',
  '\u200b',
  '\u202e',
  "'",
  "''",
  '"',
  '"" ',
]
const RISKY = [
  ...PASSED_OVER.flatMap((blank) => BEGINNINGS.map((beginning) => `${blank}${beginning}${FORMULA}`)),
  "=cmd|'/c calc'!A0",
  '=1+1',
  '-2+3',
  '@SUM(A1)',
  "'=1+1",
  "'",
  '\t',
]
/** Texts that would break a CSV table if they were not quoted. */
const AWKWARD = [
  '',
  ' ',
  'a,b',
  'a;=1+1',
  'a\t=1+1',
  'say "hi"',
  '"',
  '""',
  'two\r\nlines',
  'a\n=1',
  'x\r',
  'Ó Súilleabháin',
  'محمد',
  '🦄',
  'null',
  '0012',
  '1e400',
  `${'x'.repeat(70_000)}`,
]

/** Whether a spreadsheet would read the cell as a formula, ignoring leading blanks and invisible characters. */
const isComputed = (cell: string): boolean =>
  /^[\p{Cc}\p{Cf}\p{Z}"]*[=+\-@\u2212]/u.test(cell.normalize('NFKC'))

describe('CSV output', () => {
  it('T75 CSV output neutralizes formulas in every column, and the original text can be restored', () => {
    let computed = 0
    let changed = 0
    let cells = 0
    for (const text of [...RISKY, ...AWKWARD])
      for (let column = 0; column < 3; column += 1) {
        const record = [0, 1, 2].map((at) => (at === column ? text : `plain ${at}`))
        const [read = [], ...more] = readCsv(csvLine(record))
        cells += 1
        if (more.length > 0 || read.map(originalText).join('\u0001') !== record.join('\u0001')) changed += 1
        if (isComputed(read[column] ?? '')) computed += 1
      }
    console.info(`T75 computed ${computed} of ${cells}, not given back ${changed} of ${cells}`)
    expect({ computed, changed }).toEqual({ computed: 0, changed: 0 })
  })

  it('CSV output leaves ordinary strings unchanged, and distinguishes null from an empty string', () => {
    expect(csvLine(['Hook', '', null, -3.5, true, 'I-00042'])).toBe('"Hook","",,-3.5,true,"I-00042"\r\n')
  })

  it('CSV output begins with a byte order mark, so that spreadsheets detect its encoding', () => {
    expect(Buffer.from(csvHeader(['at', 'ip'])).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(readCsv(csvHeader(['at', 'ip']).slice(1))).toEqual([['at', 'ip']])
  })
})
