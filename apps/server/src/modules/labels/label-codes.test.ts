import { LABEL_PAPERS } from '@pegasus/contracts/labels/label-papers'
import { labelPayload } from '@pegasus/contracts/labels/scan-codes'
import type { Label } from '@pegasus/contracts/labels/labels'
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../../../test/process/product-process.ts'
import { readCodes } from '../../../test/support/accounts/read-codes.ts'
import { traceQrCode } from '../../platform/qr-code.ts'
import { layOut, paintLabel } from './label-drawing.ts'

/** Number of codes that the test reads: 500 before a release, fewer otherwise. */
const CODES = isLongRun ? 500 : 60

const HOSTS = [
  'https://ops.example.com',
  'http://192.168.178.41:3000',
  'https://pegasus.workshop.internal.example.org/ops',
  'http://localhost:3000',
]
const NAMES = [
  'Hook',
  'Wrist Roll Link 08c – Follower, Prusa orientation, left-hand mirror',
  'خطاف الحائط',
  'W'.repeat(200),
]
const PREFIXES = [
  ['I', 5],
  ['L', 4],
  ['S', 4],
  ['J', 5],
] as const

/** Returns label number `n` of a series. The series covers every paper, host, kind of code and length of name. */
function aLabel(n: number): Label {
  const [prefix, digits] = PREFIXES[n % PREFIXES.length] ?? PREFIXES[0]
  const code = `${prefix}-${String(n * 7919 + 1).padStart(digits, '0')}`
  const payload = labelPayload(code, HOSTS[Math.floor(n / 4) % HOSTS.length] ?? '')
  const name = NAMES[Math.floor(n / 16) % NAMES.length] ?? ''
  const plain = {
    kind: 'item' as const,
    id: '',
    sku: `SKU-${n}`,
    location: 'Workshop / Rack A3',
    missing_letters: [],
    price: '$18.50',
  }
  return { ...plain, code, payload, name, qr: traceQrCode(payload) }
}

describe('labels printed at the 203 dpi of a label printer', () => {
  it(`an independent reader reads ${CODES} of ${CODES} QR codes on labels printed at 203 dpi`, async () => {
    const wrong: string[] = []
    for (let n = 0; n < CODES; n += 1) {
      const label = aLabel(n)
      const named = LABEL_PAPERS[n % LABEL_PAPERS.length]
      if (!named) throw new Error('there is no paper')
      const { paper, id } = named
      const size = { width_mm: paper.label_width_mm, height_mm: paper.label_height_mm }
      const picture = await paintLabel(label, {
        size,
        fields: ['name', 'sku', 'location', 'price'],
        dpi: 203,
      })
      const read = await readCodes(picture)
      if (read.length !== 1 || read[0] !== label.payload) wrong.push(`${label.payload} on ${id}: ${read}`)
    }
    console.info(`T76 QR codes read at 203 dpi ${CODES - wrong.length} of ${CODES}`)
    expect(wrong).toEqual([])
  })

  it('the QR code of a label is large enough to read, and is inside the label without touching the text', () => {
    let cells = 0
    for (let n = 0; n < 64; n += 1)
      for (const { paper, id } of LABEL_PAPERS) {
        const label = aLabel(n)
        const size = { width_mm: paper.label_width_mm, height_mm: paper.label_height_mm }
        const { qr, lines } = layOut(label, size, ['name', 'sku', 'location', 'price'])
        const quiet = 4 * qr.moduleMm - 0.001
        // Narrow tape has no space for a larger code. A code with three dots per module can still be read.
        const isLarge = qr.sizeMm > 11.9 || (size.height_mm < 20 && qr.moduleMm > 0.37)
        expect(isLarge, `${label.payload} on ${id}: ${qr.sizeMm}`).toBe(true)
        expect(Math.min(qr.x, qr.y)).toBeGreaterThanOrEqual(quiet)
        expect(qr.y + qr.sizeMm + quiet).toBeLessThanOrEqual(size.height_mm)
        expect(lines.length).toBeGreaterThan(1)
        for (const line of lines) {
          expect(line.x + line.widthMm).toBeLessThanOrEqual(size.width_mm - 1.4)
          expect(line.baseline).toBeLessThanOrEqual(size.height_mm - 1)
          const isBeside = line.x >= qr.x + qr.sizeMm + quiet
          expect(isBeside || line.baseline - line.sizeMm >= qr.y + qr.sizeMm + quiet).toBe(true)
        }
        cells += 1
      }
    console.info(`Labels set ${cells}`)
  })
})
