import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { useRetriedSend } from './use-retry-key.ts'

it('each press has its own idempotency key, and the repetition of a failed press has the key of that press', async () => {
  const keys: string[] = []
  const isRefused = [false, true, true, false, false]
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  function Actions() {
    const send = useRetriedSend(async (_body: { ids: string[] }, headers) => {
      keys.push(headers['Idempotency-Key'])
      if (keys.length === 7) answer()
      if (isRefused[keys.length - 1]) throw new Error('The response was lost.')
    })
    const press = (id: string) => () => void send({ ids: [id] }).catch(() => undefined)
    return (
      <>
        <button type="button" onClick={press('1')}>
          First
        </button>
        <button type="button" onClick={press('2')}>
          Second
        </button>
      </>
    )
  }
  const screen = await render(<Actions />)
  for (const name of ['First', 'First', 'First', 'First', 'First', 'Second', 'First'])
    await screen.getByRole('button', { name }).click()
  await answered
  const [one, two, ...others] = keys
  // The second press failed, the third repeats it and fails, and the fourth repeats it with success.
  expect(others.slice(0, 2)).toEqual([two, two])
  expect(new Set([one, two, ...others.slice(2)]).size).toBe(5)
})
