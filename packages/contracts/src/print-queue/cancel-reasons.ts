/**
 * Reasons for cancelling a print job that the web app stores itself. They are in English, because everybody sees them.
 */
export const CANCEL_REASONS = {
  unneeded: 'Its order needs no more pieces',
  undone: 'Queueing it was undone',
} as const
