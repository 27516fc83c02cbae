interface Color {
  material: string
  color: string
}

/** `PLA Bone White`; of what nobody named the color, the material alone. */
export const colorLabel = ({ material, color }: Color): string => `${material} ${color}`.trim()

/** Tells one material and color from another, whatever the case. */
export const colorKey = ({ material, color }: Color): string =>
  `${material.toLowerCase()}\n${color.toLowerCase()}`
