import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { TestApp } from './build-test-app.ts'

/**
 * Clears a printer's bed as a person would who sees its current plate. `counts` are further fields of the request, such
 * as the rejected pieces. Returns the response.
 */
export async function clearPlate(app: TestApp, printerId: string, counts: object = {}) {
  const url = `/api/printers/${printerId}`
  const headers = await app.as('staff')
  const { current_job: job } = (await app.http.inject({ url, headers })).json<Printer>()
  const payload = { plate_id: job?.plate_id ?? null, ...counts }
  return app.http.inject({ method: 'POST', url: `${url}/clear`, headers, payload })
}
