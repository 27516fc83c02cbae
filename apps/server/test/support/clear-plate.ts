import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { TestApp } from './build-test-app.ts'

/**
 * Clears the bed of a printer like a person who sees its current plate. Returns the response. `counts` are fields of
 * the request.
 */
export async function clearPlate(app: TestApp, printerId: string, counts: object = {}) {
  const url = `/api/printers/${printerId}`
  const headers = await app.as('staff')
  const { current_job: job } = (await app.http.inject({ url, headers })).json<Printer>()
  const payload = { plate_id: job?.plate_id ?? null, ...counts }
  return app.http.inject({ method: 'POST', url: `${url}/clear`, headers, payload })
}
