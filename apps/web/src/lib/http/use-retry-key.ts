import { useState } from 'react'

/**
 * Returns a function for the Idempotency-Key of a form that creates or books something. The key stays the
 * same while the body stays the same, so that a retry after a lost response does not repeat the work.
 */
export function useRetryKey(): (body: unknown) => { 'Idempotency-Key': string } {
  const [last] = useState({ sent: '', key: '' })
  return (body) => {
    const sent = JSON.stringify(body)
    if (last.sent !== sent) Object.assign(last, { sent, key: crypto.randomUUID() })
    return { 'Idempotency-Key': last.key }
  }
}
