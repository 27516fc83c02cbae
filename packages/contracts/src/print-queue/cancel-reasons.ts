/** The reasons for which the web app cancels print jobs. They are stored for everybody, so they are in English. */
export const CANCEL_REASONS = {
  unneeded: 'Its order needs no more pieces',
  undone: 'Queueing it was undone',
} as const
