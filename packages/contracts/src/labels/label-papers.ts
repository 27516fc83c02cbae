import * as z from 'zod/mini'

/** Dimensions of a sheet of labels, in millimeters. A roll is a page with one label. */
export interface LabelPaper {
  page_width_mm: number
  page_height_mm: number
  columns: number
  rows: number
  /** Distance from the page's edge to the first label. */
  top_mm: number
  left_mm: number
  label_width_mm: number
  label_height_mm: number
  /** Distance from one label's edge to the same edge of the next label. */
  pitch_x_mm: number
  pitch_y_mm: number
}

interface NamedPaper {
  id: string
  name: string
  paper: LabelPaper
}

/** Returns the paper for a roll, or for a printer that feeds single labels. */
export const rollPaper = (widthMm: number, heightMm: number): LabelPaper => ({
  page_width_mm: widthMm,
  page_height_mm: heightMm,
  columns: 1,
  rows: 1,
  top_mm: 0,
  left_mm: 0,
  label_width_mm: widthMm,
  label_height_mm: heightMm,
  pitch_x_mm: widthMm,
  pitch_y_mm: heightMm,
})

const roll = (widthMm: number, heightMm: number, of = ''): NamedPaper => ({
  id: `${widthMm}x${heightMm}`,
  name: `${widthMm} × ${heightMm} mm${of && ` · ${of}`}`,
  paper: rollPaper(widthMm, heightMm),
})

/** Common label sizes, most common first. */
export const LABEL_ROLLS: readonly NamedPaper[] = [
  roll(62, 29, 'Brother DK, QL'),
  roll(50, 30),
  roll(40, 30),
  roll(50, 25),
  roll(40, 25),
  roll(54, 17, 'Brother DK'),
  roll(74, 33),
  roll(75, 55),
  roll(50, 24, 'tape of 24 mm'),
  { id: '4x1in', name: '4 × 1 in', paper: rollPaper(101.6, 25.4) },
]

export const LABEL_SHEETS: readonly NamedPaper[] = [
  {
    id: 'avery-l7160',
    name: 'Avery L7160 · A4, 21 labels',
    paper: {
      page_width_mm: 210,
      page_height_mm: 297,
      columns: 3,
      rows: 7,
      top_mm: 15.15,
      left_mm: 7.21,
      label_width_mm: 63.5,
      label_height_mm: 38.1,
      pitch_x_mm: 66.04,
      pitch_y_mm: 38.1,
    },
  },
  {
    id: 'avery-5160',
    name: 'Avery 5160 · Letter, 30 labels',
    paper: {
      page_width_mm: 215.9,
      page_height_mm: 279.4,
      columns: 3,
      rows: 10,
      top_mm: 12.7,
      left_mm: 4.7625,
      label_width_mm: 66.675,
      label_height_mm: 25.4,
      pitch_x_mm: 69.85,
      pitch_y_mm: 25.4,
    },
  },
]

export const LABEL_PAPERS: readonly NamedPaper[] = [...LABEL_ROLLS, ...LABEL_SHEETS]

export const MIN_LABEL_MM = 10
export const MAX_LABEL_MM = 300
const MAX_PAGE_MM = 1000
const MAX_CELLS_A_SIDE = 50

/**
 * Tolerance for papers whose sizes are in inches. The sizes are rounded to millimeters, so the last label can end up to
 * this far beyond the edge of the page.
 */
const TOLERANCE_MM = 0.05

const millimeters = (least: number, most: number) => {
  const error = `must be from ${least} to ${most} millimeters`
  return z.number(error).check(z.gte(least, error), z.lte(most, error))
}
const cells = z
  .int(`must be a whole number from 1 to ${MAX_CELLS_A_SIDE}`)
  .check(z.gte(1), z.lte(MAX_CELLS_A_SIDE))

const staysOnPage = (paper: LabelPaper): boolean =>
  paper.left_mm + (paper.columns - 1) * paper.pitch_x_mm + paper.label_width_mm <=
    paper.page_width_mm + TOLERANCE_MM &&
  paper.top_mm + (paper.rows - 1) * paper.pitch_y_mm + paper.label_height_mm <=
    paper.page_height_mm + TOLERANCE_MM

const standsApart = (paper: LabelPaper): boolean =>
  (paper.columns === 1 || paper.pitch_x_mm >= paper.label_width_mm - TOLERANCE_MM) &&
  (paper.rows === 1 || paper.pitch_y_mm >= paper.label_height_mm - TOLERANCE_MM)

/** Paper with custom dimensions. */
export const labelPaper = z
  .object({
    page_width_mm: millimeters(MIN_LABEL_MM, MAX_PAGE_MM),
    page_height_mm: millimeters(MIN_LABEL_MM, MAX_PAGE_MM),
    columns: cells,
    rows: cells,
    top_mm: millimeters(0, MAX_PAGE_MM),
    left_mm: millimeters(0, MAX_PAGE_MM),
    label_width_mm: millimeters(MIN_LABEL_MM, MAX_LABEL_MM),
    label_height_mm: millimeters(MIN_LABEL_MM, MAX_LABEL_MM),
    pitch_x_mm: millimeters(0, MAX_PAGE_MM),
    pitch_y_mm: millimeters(0, MAX_PAGE_MM),
  })
  .check(
    z.refine(staysOnPage, 'The labels do not fit on the page.'),
    z.refine(standsApart, 'The labels overlap.'),
  )

/** Returns the paper with this name, or null. */
export const findPaper = (id: string): LabelPaper | null =>
  LABEL_PAPERS.find((each) => each.id === id)?.paper ?? null

/**
 * Parses a label size such as `62x29` or `48.5x21`. Returns null if the text is not a size, or the size is too small or
 * too large.
 */
export function readLabelSize(text: string): { width_mm: number; height_mm: number } | null {
  const known = LABEL_PAPERS.find(({ id }) => id === text)
  if (known) return { width_mm: known.paper.label_width_mm, height_mm: known.paper.label_height_mm }
  const [, width, height] = /^(\d{1,3}(?:\.\d{1,2})?)x(\d{1,3}(?:\.\d{1,2})?)$/.exec(text) ?? []
  const size = { width_mm: Number(width), height_mm: Number(height) }
  const isPossible = Object.values(size).every((side) => side >= MIN_LABEL_MM && side <= MAX_LABEL_MM)
  return isPossible ? size : null
}

/** The position of one label in a print run. */
export interface LabelCell {
  /** Number of the page, counted from 0. */
  page: number
  /** Distance from the upper left corner of the page to that of the label, in millimeters. */
  x_mm: number
  y_mm: number
}

/** Returns the positions of `count` labels, row by row from cell `start` on (the first cell is 1). */
export function cellsOf(paper: LabelPaper, count: number, start = 1): LabelCell[] {
  const perPage = paper.columns * paper.rows
  return Array.from({ length: count }, (_, index) => {
    const cell = start - 1 + index
    const place = cell % perPage
    return {
      page: Math.floor(cell / perPage),
      x_mm: paper.left_mm + (place % paper.columns) * paper.pitch_x_mm,
      y_mm: paper.top_mm + Math.floor(place / paper.columns) * paper.pitch_y_mm,
    }
  })
}
