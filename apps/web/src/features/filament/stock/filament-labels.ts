interface Color {
  material: string
  color: string
}

/** Formats a color: `PLA Bone White`, or `PLA` if the color has no name. */
export const colorLabel = ({ material, color }: Color): string => `${material} ${color}`.trim()

/** Returns a key for material and color that ignores upper and lower case. */
export const colorKey = ({ material, color }: Color): string =>
  `${material.toLowerCase()}\n${color.toLowerCase()}`
