import {
  addMaintenancePlan,
  changeMaintenancePlan,
  type ChangeMaintenancePlanBody,
  deleteMaintenancePlan,
  getPrinterMaintenance,
  type Maintenance,
  type MaintenancePlan,
  type MaintenancePlanBody,
  servicePrinter,
  type ServicedBody,
} from '@pegasus/contracts/print-queue/maintenance'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { toastError } from '@/components/toast-error.ts'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { callApi } from '@/lib/http/api.ts'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { usePrinterRefresh } from '../printers.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Returns the maintenance of a printer: the plans with due dates, and the log. */
export const maintenanceQuery = (printerId: string) =>
  apiQuery(['printers', 'maintenance', printerId], getPrinterMaintenance, { params: { id: printerId } })

/** Mutations for the maintenance of a printer. */
export function useMaintenance({ id, name }: Printer) {
  const client = useQueryClient()
  const refresh = usePrinterRefresh()
  const onSuccess = (after: Maintenance) => client.setQueryData(maintenanceQuery(id).queryKey, after)
  const onSettled = () => refresh()
  const params = { id }
  const addPlan = useMutation({
    mutationFn: (body: MaintenancePlanBody) => callApi(addMaintenancePlan, { params, body }),
    onSuccess,
    onSettled,
  })
  const changePlan = useMutation({
    mutationFn: ({ plan, body }: { plan: MaintenancePlan; body: ChangeMaintenancePlanBody }) =>
      callApi(changeMaintenancePlan, { params: { id, plan_id: plan.id }, body }),
    onSuccess,
    onSettled,
  })
  const endPlan = useMutation({
    mutationFn: (plan: MaintenancePlan) =>
      callApi(deleteMaintenancePlan, { params: { id, plan_id: plan.id } }),
    onSuccess(after, plan) {
      onSuccess(after)
      toast({ title: t('“{name}” of {name2} is no longer planned', { name: plan.name, name2: name }) })
    },
    onError: toastError,
    onSettled,
  })
  const service = useMutation({
    mutationFn: (body: ServicedBody) => callApi(servicePrinter, { params, body }),
    onSuccess(after) {
      onSuccess(after)
      toast({ title: t('Logged for {name}', { name }) })
    },
    onSettled,
  })
  return { addPlan, changePlan, endPlan, service }
}
