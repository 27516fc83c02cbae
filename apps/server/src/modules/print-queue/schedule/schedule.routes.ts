import { acceptSchedule, getSchedule, scheduleJob } from '@pegasus/contracts/print-queue/schedule'
import type { Endpoints } from '../../../platform/http/endpoints.ts'
import type { ScheduleService } from './schedule.service.ts'

export function addScheduleRoutes(endpoints: Endpoints, schedule: ScheduleService): void {
  endpoints.add(getSchedule, () => schedule.read())

  endpoints.add(acceptSchedule, ({ audit }) => schedule.accept(audit))

  endpoints.add(scheduleJob, ({ params, body, audit }) =>
    schedule.place(params.id, { printerId: body.printer_id, beforeId: body.before_id }, audit),
  )
}
