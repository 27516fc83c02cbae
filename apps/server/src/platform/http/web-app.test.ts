import { expect, it } from 'vitest'
import { buildTestApp } from '../../../test/support/build-test-app.ts'

it('a server without a built web app shows the build command in the log and to browsers', async () => {
  let logged = ''
  const app = await buildTestApp({ logTo: { write: (line) => void (logged += line) } })
  const answer = await app.http.inject('/orders')
  expect(answer.statusCode).toBe(404)
  expect(answer.json<{ detail: string }>().detail).toContain('run "npm start"')
  expect(logged).toContain('The web app has not been built')
  expect((await app.http.inject('/api/nothing')).json<{ detail: string }>().detail).not.toContain('npm')
})
