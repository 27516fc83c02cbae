import { facetNormal } from '../src/stl/write-stl.ts'

/** Writes an ASCII STL with the shortest decimals that restore the same float32 values. */
export function writeAsciiStl(positions: Float32Array, name = 'pegasus'): Uint8Array<ArrayBuffer> {
  const lines = [`solid ${name}`]
  for (let t = 0; t < Math.floor(positions.length / 9); t++) {
    lines.push(`  facet normal ${facetNormal(positions, t).map(shortest).join(' ')}`, '    outer loop')
    for (let corner = 9 * t; corner < 9 * t + 9; corner += 3) {
      lines.push(`      vertex ${[...positions.subarray(corner, corner + 3)].map(shortest).join(' ')}`)
    }
    lines.push('    endloop', '  endfacet')
  }
  lines.push(`endsolid ${name}`, '')
  return new TextEncoder().encode(lines.join('\n'))
}

/**
 * Returns the shortest decimal that identifies a float32. Nine significant digits are always enough, and
 * often fewer are.
 */
function shortest(value: number): string {
  const single = Math.fround(value)
  for (let digits = 6; digits < 9; digits++) {
    const text = String(Number(single.toPrecision(digits)))
    if (Math.fround(Number(text)) === single) return text
  }
  return String(Number(single.toPrecision(9)))
}
