import encodeQr from 'qr'

/** What scanners need of empty space around a code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** The dark modules of one row as a path: a bar for each run of them. */
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

/**
 * A QR code of the text as an SVG picture, black on white whatever the page's colours are. It holds no `#` and no `%`,
 * so that it can stand in a `data:` address as it is.
 */
export function drawQrCode(text: string): string {
  const modules = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET_ZONE })
  const size = modules.length
  const dark = modules.map(barsOf).join('')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="white" d="M0 0h${size}v${size}h-${size}z"/><path fill="black" d="${dark}"/></svg>`,
  ].join('')
}
