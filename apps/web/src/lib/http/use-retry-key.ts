import { useState } from 'react'

/**
 * The Idempotency-Key of a form that creates or books something: the same while what is sent stays the same, so that
 * a retry after a lost answer does nothing twice.
 */
export function useRetryKey(): (body: unknown) => { 'Idempotency-Key': string } {
  const [last] = useState({ sent: '', key: '' })
  return (body) => {
    const sent = JSON.stringify(body)
    if (last.sent !== sent) Object.assign(last, { sent, key: crypto.randomUUID() })
    return { 'Idempotency-Key': last.key }
  }
}
