/** `06:12`, in local time; for the age of data that is shown although it could not be refreshed. */
export const formatTime = (momentMs: number): string =>
  new Date(momentMs).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
