/** Properties of an icon beside text of normal size. */
export const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** Properties of an icon beside small text. */
export const SMALL_ICON = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const
