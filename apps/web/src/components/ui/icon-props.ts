/** The look of an icon beside a text of normal size. */
export const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

/** The look of an icon beside a small text. */
export const SMALL_ICON = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const
