import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import { hasReachableHost } from '@pegasus/contracts/labels/scan-codes'
import type { SlipPaper } from '@pegasus/contracts/orders/papers'
import { measureText } from '../../platform/pdf/fonts.ts'
import { makePdf, placeCode, placeText, points } from '../../platform/pdf/pdf-document.ts'
import { traceQrCode } from '../../platform/qr-code.ts'

interface Step {
  title: string
  text: string
  /** Path and query of the page that the QR code opens. */
  path: string
}

const STEPS: readonly Step[] = [
  {
    title: '1. Open it on your phone',
    text: 'Scan this code and sign in. Add the page to your home screen to open it like an app.',
    path: '/',
  },
  {
    title: '2. Add a model',
    text: 'Drop STL, 3MF, OBJ or ZIP files on the library. The server measures and draws each model.',
    path: '/?tab=stl-library&upload=1',
  },
  {
    title: '3. Add a spool',
    text: 'Fill in material and color, weigh the spool once, and stick its label on it.',
    path: '/?tab=filament',
  },
  {
    title: '4. Keep a part in stock',
    text: 'An item has a location, a price, and the quantity at which more of it is printed.',
    path: '/?tab=inventory&add=1',
  },
  {
    title: '5. Queue a print',
    text: 'Choose a part and a quantity. The queue shows what each job waits for.',
    path: '/?tab=print-queue&add=1',
  },
  {
    title: '6. Ship an order',
    text: 'Open the order, scan its pieces into the parcel, and print the packing slip.',
    path: '/?tab=orders',
  },
  {
    title: '7. Scan any label',
    text: 'Press Scan, or use your phone’s camera: take, add, count, move, weigh, start or finish.',
    path: '/?tab=inventory',
  },
  {
    title: '8. Get help',
    text: 'Press ? on a keyboard, or choose Help in the account menu. Every tab has a short page.',
    path: '/?tab=dashboard',
  },
]

const UNREACHABLE =
  'These codes open only on this computer. With PUBLIC_URL set to the address of the server, phones can open them too.'

// The size of each paper in millimeters. All other lengths below are in millimeters, too.
const PAPERS: Readonly<Record<SlipPaper, readonly [width: number, height: number]>> = {
  a4: [210, 297],
  letter: [215.9, 279.4],
}
const MARGIN = 16
const COLUMN_GAP = 10
const STEP_HEIGHT = 48
const CODE_SIDE = 30
const TITLE = 4
const TEXT = 3.2
const LINE_HEIGHT = 4.8
const GREY = '#5c6470'

/** Breaks a text into lines that fit into the width. A word that is wider gets a line of its own. */
function wrapText(text: string, widthMm: number, sizeMm: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && measureText(longer, { sizeMm, isBold: false }) <= widthMm)
      lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** The address and the paper of a quick start page. */
export interface QuickStart {
  publicUrl: string
  paper: SlipPaper
}

/** Draws the quick start: one page with the first steps. Each step has a QR code that opens its page in the app. */
export const drawQuickStart = ({ publicUrl, paper }: QuickStart): Promise<Buffer> =>
  makePdf(`${PRODUCT_NAME} quick start`, (pdf) => {
    const [width, height] = PAPERS[paper]
    const column = (width - 2 * MARGIN - COLUMN_GAP) / 2
    const address = publicUrl.replace(/\/+$/, '')
    pdf.addPage({ size: [points(width), points(height)], margin: 0 })
    placeText(pdf, { text: PRODUCT_NAME, x: MARGIN, baseline: MARGIN + 7, sizeMm: 8, isBold: true })
    placeText(pdf, { text: 'Quick start', x: MARGIN, baseline: MARGIN + 15, sizeMm: 5 })
    pdf.fillColor(GREY)
    placeText(pdf, { text: address, x: MARGIN, baseline: MARGIN + 21, sizeMm: TEXT })
    for (const [index, { title, text, path }] of STEPS.entries()) {
      const x = MARGIN + (index % 2) * (column + COLUMN_GAP)
      const y = MARGIN + 30 + Math.floor(index / 2) * STEP_HEIGHT
      const code = traceQrCode(`${address}${path}`)
      placeCode(pdf, code.path, { x, y, moduleMm: CODE_SIDE / code.modules })
      const left = x + CODE_SIDE + 4
      pdf.fillColor('black')
      const head = wrapText(title, column - CODE_SIDE - 4, TITLE * 1.1)
      for (const [at, line] of head.entries())
        placeText(pdf, { text: line, x: left, baseline: y + 5 + at * 5.4, sizeMm: TITLE, isBold: true })
      const below = y + 5 + (head.length - 1) * 5.4 + 6
      for (const [at, line] of wrapText(text, column - CODE_SIDE - 4, TEXT).entries())
        placeText(pdf, { text: line, x: left, baseline: below + at * LINE_HEIGHT, sizeMm: TEXT })
    }
    if (hasReachableHost(publicUrl)) return
    pdf.fillColor(GREY)
    for (const [at, line] of wrapText(UNREACHABLE, width - 2 * MARGIN, TEXT).entries())
      placeText(pdf, {
        text: line,
        x: MARGIN,
        baseline: height - MARGIN + at * LINE_HEIGHT - 4,
        sizeMm: TEXT,
      })
  })
