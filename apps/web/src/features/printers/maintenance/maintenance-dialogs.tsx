import {
  type MaintenancePlan,
  maintenancePlanBody,
  servicedBody,
} from '@pegasus/contracts/print-queue/maintenance'
import type { Printer } from '@pegasus/contracts/print-queue/printers'
import { FormDialog } from '@/components/kit/form-dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { type FormText, readResult } from '@/lib/forms/form-merge.ts'
import { typedNumber } from '@/lib/forms/typed-number.ts'
import { useNewForm } from '@/lib/forms/use-text-form.ts'
import { useMaintenance } from './maintenance.queries.ts'
import { t } from '@/lib/i18n/messages.ts'

type PlanField = 'name' | 'every_hours' | 'every_days'

const readPlan = (form: FormText<PlanField>) =>
  readResult(
    maintenancePlanBody.safeParse({
      name: form.name,
      every_hours: typedNumber(form.every_hours),
      every_days: typedNumber(form.every_days),
    }),
    form,
  )

/** Plans maintenance that recurs after a number of printing hours or days, whichever comes first. */
export function AddPlanDialog({ printer, onClose }: { printer: Printer; onClose: () => void }) {
  const { addPlan } = useMaintenance(printer)
  const state = useNewForm({
    start: { name: '', every_hours: '', every_days: '' },
    read: readPlan,
    create: async (body) => {
      await addPlan.mutateAsync(body)
      onClose()
    },
  })
  const { bind, errors } = state
  return (
    <FormDialog
      state={state}
      submitLabel={t('Add plan')}
      onClose={onClose}
      title={t('Plan maintenance of {name}', { name: printer.name })}
      description={t(
        'The interval starts now. If you enter hours and days, the one that is reached first counts.',
      )}
      size="sm"
    >
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
      </div>
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
