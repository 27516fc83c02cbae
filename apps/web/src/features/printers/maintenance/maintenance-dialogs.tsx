import {
  changeMaintenancePlanBody,
  type MaintenancePlan,
  maintenancePlanBody,
  servicedBody,
} from '@pegasus/contracts/print-queue/maintenance'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { differing, type FieldErrors, type FormText, pickFields, readResult } from '@/lib/forms/form-merge.ts'
import { numberText, typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { formatCount } from '@/lib/format/format.ts'
import { dayOf, noonOf } from '@/lib/format/local-day.ts'
import { useMaintenance } from './maintenance.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

type PlanField = 'name' | 'every_hours' | 'every_days' | 'done_at' | 'done_at_hours'

/** Returns noon of a day, or the present time if noon of today is still to come. */
function doneAtOf(day: string): string | undefined {
  const now = new Date().toISOString()
  const noon = noonOf(day)
  return day === dayOf(now) && noon !== null && noon > now ? now : (noon ?? undefined)
}

const planOf = (form: FormText<PlanField>): Record<PlanField, unknown> => ({
  name: form.name,
  every_hours: typedNumber(form.every_hours),
  every_days: typedNumber(form.every_days),
  done_at: doneAtOf(form.done_at),
  done_at_hours: typedNumber(form.done_at_hours) ?? undefined,
})

const readPlan = (form: FormText<PlanField>) => readResult(maintenancePlanBody.safeParse(planOf(form)), form)

interface PlanFieldsProps {
  printer: Printer
  form: {
    bind: ReturnType<typeof useNewForm<PlanField, unknown>>['bind']
    errors: FieldErrors<PlanField>
  }
}

const PlanFields = ({ printer, form: { bind, errors } }: PlanFieldsProps) => (
  <div className="grid grid-cols-2 items-start gap-4">
    <Field label={t('Work')} isRequired error={errors.name} className="col-span-full">
      <Input {...bind('name')} maxLength={100} dir="auto" autoFocus placeholder={t('New nozzle')} />
    </Field>
    <Field label={t('Every … hours')} error={errors.every_hours} hint={t('Of printing')}>
      <Input {...bind('every_hours')} inputMode="numeric" placeholder="400" />
    </Field>
    <Field label={t('Every … days')} error={errors.every_days}>
      <Input {...bind('every_days')} inputMode="numeric" />
    </Field>
    <Field label={t('Last done on')} error={errors.done_at}>
      <Input {...bind('done_at')} type="date" max={dayOf(new Date().toISOString())} />
    </Field>
    <Field
      label={t('Hours printed by then')}
      error={errors.done_at_hours}
      hint={t('Now: {hours} h', { hours: formatCount(printer.print_hours) })}
    >
      <Input {...bind('done_at_hours')} inputMode="decimal" />
    </Field>
  </div>
)

/** Plans maintenance that recurs after a number of printing hours or days, whichever comes first. */
export function AddPlanDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const { addPlan } = useMaintenance(printer)
  const state = useNewForm({
    start: { name: '', every_hours: '', every_days: '', done_at: '', done_at_hours: '' },
    read: readPlan,
    create: async (body) => {
      await addPlan.mutateAsync(body)
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={t('Add plan')}
      onClose={onClose}
      title={t('Plan maintenance of {name}', { name: printer.name })}
      description={t(
        'The interval starts now, unless you enter when the work was last done. If you enter an interval in hours and one in days, the one that ends first counts.',
      )}
      size="sm"
    >
      <PlanFields printer={printer} form={state} />
    </FormDialog>
  )
}

interface ChangePlanDialogProps {
  printer: Printer
  plan: MaintenancePlan
  onClose: () => void
}

const formOf = (plan: MaintenancePlan): FormText<PlanField> => ({
  name: plan.name,
  every_hours: numberText(plan.every_hours),
  every_days: numberText(plan.every_days),
  done_at: dayOf(plan.done_at),
  done_at_hours: numberText(plan.done_at_hours),
})

/** Changes a maintenance plan, or when its work was last done. It sends only the changed fields. */
export function ChangePlanDialog({ printer, plan, onClose }: ChangePlanDialogProps) {
  const { changePlan } = useMaintenance(printer)
  const start = formOf(plan)
  const state = useNewForm({
    start,
    read: (form: FormText<PlanField>) => {
      const body = pickFields(planOf(form), differing(start, form))
      return readResult(changeMaintenancePlanBody.safeParse(body), form)
    },
    create: async (body) => {
      if (Object.keys(body).length > 0) await changePlan.mutateAsync({ plan, body })
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={t('Save')}
      onClose={onClose}
      title={t('Change the plan {name}', { name: plan.name })}
      size="sm"
    >
      <PlanFields printer={printer} form={state} />
    </FormDialog>
  )
}

interface ServicedDialogProps {
  printer: Printer
  /**
   * The plan that the work belongs to, whose interval then starts again; null for maintenance without a plan.
   */
  plan: MaintenancePlan | null
  onClose: () => void
}

/** Logs maintenance that was done. */
export function ServicedDialog({ printer, plan, onClose }: ServicedDialogProps) {
  const { service } = useMaintenance(printer)
  const state = useNewForm({
    start: { done: plan?.name ?? '' },
    read: (form: FormText<'done'>) =>
      readResult(servicedBody.safeParse({ ...(plan && { plan_id: plan.id }), done: form.done }), form),
    create: async (body) => {
      await service.mutateAsync(body)
      onClose()
    },
  })
  return (
    <FormDialog
      state={state}
      submitLabel={t('Log it')}
      onClose={onClose}
      title={
        plan
          ? t('{name} on {name2}', { name: plan.name, name2: printer.name })
          : t('Work on {name}', { name: printer.name })
      }
      size="sm"
    >
      <Field label={t('What was done')} isRequired error={state.errors.done}>
        <Input {...state.bind('done')} maxLength={500} dir="auto" autoFocus />
      </Field>
    </FormDialog>
  )
}
