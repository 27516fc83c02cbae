import type { PrintJob } from '@pegasus/contracts/print-queue/jobs'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import type { Schedule } from '@pegasus/contracts/print-queue/schedule'
import type { Role } from '@pegasus/contracts/roles'
import type { TestApp } from './build-test-app.ts'
import { aPrintJob, aSpool } from './stock-factories.ts'

/** Calls the server with the role `as`. Returns the response. */
export const send = async (
  app: TestApp,
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
  as: Role = 'staff',
) => app.http.inject({ method, url, headers: await app.as(as), ...(payload && { payload }) })

/** Adds a printer. Returns its id. */
export const aMachine = async (app: TestApp, printer: object): Promise<string> =>
  (await send(app, 'POST', '/api/printers', printer, 'admin')).json<Printer>().id

/** Plans the day. Returns the schedule. */
export const scheduleOf = async (app: TestApp): Promise<Schedule> => {
  await app.planner.run()
  return (await send(app, 'GET', '/api/print-queue/schedule', undefined, 'viewer')).json<Schedule>()
}

/** Returns a print job as the API shows it. */
export const jobOf = async (app: TestApp, id: string): Promise<PrintJob> =>
  (await send(app, 'GET', `/api/print-queue/${id}`, undefined, 'viewer')).json<PrintJob>()

/**
 * Returns the prints of each printer, by its name, as `[name of the job, plates, minutes from now to the start, minutes
 * from now to the end]`.
 */
export const daysOf = (app: TestApp, { printers }: Schedule, names: Record<string, string>) =>
  Object.fromEntries(
    printers.map(({ name, prints }) => [
      name,
      prints.map((print) => {
        const minutes = (moment: string) =>
          Math.round((Date.parse(moment) - app.clock.now().getTime()) / 60_000)
        return [names[print.print_job_id], print.plates, minutes(print.starts_at), minutes(print.ends_at)]
      }),
    ]),
  )

/** Adds two printers, loaded with black and with white PLA. `add` adds a job that needs PLA of a given color. */
export async function aShop(app: TestApp) {
  const black = await aSpool(app, { material: 'PLA', color: 'Black', remainingGrams: 900 })
  const white = await aSpool(app, { material: 'PLA', color: 'White', remainingGrams: 900 })
  const left = await aMachine(app, { name: 'Left', slots: [{ slot: 1, filament_id: black }] })
  const right = await aMachine(app, { name: 'Right', slots: [{ slot: 1, filament_id: white }] })
  const add = (color: string, job: object = {}) =>
    aPrintJob(app, { material: 'PLA', color, estimatedMinutes: 60, estimatedGrams: 20, ...job })
  return { black, white, left, right, add }
}
