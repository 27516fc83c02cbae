import { describe, expect, it } from 'vitest'
import { type LabelLine, type MeasureText, layOutLabel, shorten } from './label-layout.ts'
import { LABEL_PAPERS, LABEL_SHEETS, cellsOf, labelPaper, readLabelSize } from './label-papers.ts'

/** A font for the tests, in which every letter is half as wide as it is high. */
const measure: MeasureText = (text, { sizeMm }) => text.length * sizeMm * 0.5

const lines = (name: string): LabelLine[] => [
  { field: 'name', text: name },
  { field: 'code', text: 'I-00042' },
  { field: 'sku', text: 'HOOK-1' },
  { field: 'location', text: 'Rack A3 / Bin 12' },
]

const set = (name: string, [widthMm, heightMm] = [62, 29] as readonly [number, number]) =>
  layOutLabel({ widthMm, heightMm, modules: 25, lines: lines(name), measure })

describe('laying out a label', () => {
  it('layOutLabel prints longer names in smaller letters, then in two lines, then shortened', () => {
    const texts = (name: string) => set(name).lines.map(({ text }) => text)
    expect(texts('Hook')).toEqual(['Hook', 'I-00042', 'HOOK-1', 'Rack A3 / Bin 12'])
    const long = texts('Wrist Roll Link 08c, left-hand mirror')
    expect(long.slice(0, -3).join(' ')).toBe('Wrist Roll Link 08c, left-hand mirror')
    const endless = texts('word '.repeat(60))
    expect(endless).toHaveLength(5)
    expect(endless[1]).toMatch(/…$/)
    expect(set('Hook').lines[0]?.sizeMm).toBeGreaterThan(set('word '.repeat(60)).lines[0]?.sizeMm ?? 0)
  })

  it('if some lines do not fit, layOutLabel leaves out the least important lines and lists them', () => {
    expect(set('Hook', [40, 10]).leftOut).toEqual(['location'])
    expect(set('Hook', [30, 10]).lines[0]?.text).toMatch(/^H/)
  })

  it('layOutLabel places the code above the text on a nearly square label', () => {
    const { qr, lines: placed } = set('Hook', [40, 40])
    expect(Math.min(...placed.map(({ baseline, sizeMm }) => baseline - sizeMm))).toBeGreaterThan(
      qr.y + qr.sizeMm,
    )
  })

  it('layOutLabel gives each module of the QR code a whole number of dots of a 203 dpi printer', () => {
    for (const { paper } of LABEL_PAPERS) {
      const dots = set('Hook', [paper.label_width_mm, paper.label_height_mm]).qr.moduleMm / (25.4 / 203)
      expect(Math.abs(dots - Math.round(dots))).toBeLessThan(1e-9)
    }
  })

  it('layOutLabel shortens text only between whole characters', () => {
    expect(shorten('👩‍👩‍👧 family', (text) => text.length <= 9)).toBe('👩‍👩‍👧…')
    expect(shorten('abc', () => false)).toBe('…')
  })
})

describe('papers for labels', () => {
  it('for every named paper, the labels fit on the page and do not overlap', () => {
    for (const { id, paper } of LABEL_PAPERS) expect(labelPaper.safeParse(paper).success, id).toBe(true)
  })

  it('labels fill a page row by row from the given cell and continue on the next page', () => {
    const [sheet] = LABEL_SHEETS
    if (!sheet) throw new Error('there is no sheet')
    const cells = cellsOf(sheet.paper, 3, 20)
    expect(cells.map(({ page }) => page)).toEqual([0, 0, 1])
    expect(cells[0]?.x_mm).toBeCloseTo(7.21 + 66.04)
    expect(cells[0]?.y_mm).toBeCloseTo(15.15 + 6 * 38.1)
    expect(cells[2]).toEqual({ page: 1, x_mm: 7.21, y_mm: 15.15 })
  })

  it('readLabelSize parses a custom label size as width by height', () => {
    expect(readLabelSize('48.5x21')).toEqual({ width_mm: 48.5, height_mm: 21 })
    expect(readLabelSize('4x1in')).toEqual({ width_mm: 101.6, height_mm: 25.4 })
    expect(['9x30', '62x301', '62', 'x', '62x29x1', '-62x29'].map(readLabelSize)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ])
  })
})
