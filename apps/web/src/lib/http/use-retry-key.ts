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

/**
 * Returns `send` as a function for an action that a person can repeat with the same body, such as a bulk action. Each
 * press gets an Idempotency-Key of its own. After a press that failed, the next one with the same body has the same key,
 * because the server may have done the work although its response was lost.
 */
export function useRetriedSend<Body, Result>(
  send: (body: Body, headers: { 'Idempotency-Key': string }) => Promise<Result>,
): (body: Body) => Promise<Result> {
  const [open] = useState({ sent: '', key: '' })
  return async (body) => {
    const sent = JSON.stringify(body)
    if (open.sent !== sent) Object.assign(open, { sent, key: crypto.randomUUID() })
    const { key } = open
    const result = await send(body, { 'Idempotency-Key': key })
    if (open.key === key) open.sent = ''
    return result
  }
}
