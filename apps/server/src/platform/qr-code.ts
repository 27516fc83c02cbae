import encodeQr from 'qr'
import { QUIET_ZONE } from '@pegasus/contracts/labels/label-layout'

/** Returns one row of the code as an SVG path, with one bar for each run of dark modules. */
function barsOf(row: readonly boolean[], y: number): string {
  let bars = ''
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue
    const from = x
    while (row[x + 1]) x += 1
    const width = x + 1 - from
    bars += `M${from} ${y}h${width}v1h-${width}z`
  }
  return bars
}

interface QrTrace {
  /** The side of the code in modules, without the quiet zone. */
  modules: number
  /** The dark modules as an SVG path. A module is one unit. */
  path: string
}

/** Returns a QR code of the text, with medium error correction. */
export function traceQrCode(text: string): QrTrace {
  // The encoder always adds a border, so cut it off.
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 1 }).slice(1, -1)
  return { modules: rows.length, path: rows.map((row, y) => barsOf(row.slice(1, -1), y)).join('') }
}

/**
 * Returns a QR code of the text as an SVG picture, black on white in every theme. The SVG contains neither
 * `#` nor `%`, so it can be used unchanged in a `data:` address.
 */
export function drawQrCode(text: string): string {
  const { modules, path } = traceQrCode(text)
  const size = modules + 2 * QUIET_ZONE
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-${QUIET_ZONE} -${QUIET_ZONE} ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="white" d="M-${QUIET_ZONE} -${QUIET_ZONE}h${size}v${size}h-${size}z"/><path fill="black" d="${path}"/></svg>`,
  ].join('')
}
