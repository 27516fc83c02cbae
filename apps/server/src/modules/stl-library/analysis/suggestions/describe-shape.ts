export interface MeasuredShape {
  bounding_box_mm: { size: readonly [number, number, number] } | null
  shells: number | null
  is_watertight: boolean | null
}

/**
 * Returns text such as `12.0 × 20.0 × 5.5 mm, one watertight part`. Returns null for a model that is not
 * measured.
 */
export function describeShape({ bounding_box_mm: box, shells, is_watertight }: MeasuredShape): string | null {
  if (!box) return null
  const size = `${box.size.map((length) => length.toFixed(1)).join(' × ')} mm`
  if (shells === null || shells === 0) return size
  const kind = is_watertight ? 'watertight ' : ''
  const parts = shells === 1 ? `one ${kind}part` : `${shells.toLocaleString('en')} ${kind}parts`
  return `${size}, ${parts}${is_watertight === false ? ', not watertight' : ''}`
}
