import { isNetworkKind, PRINTER_KINDS } from '@pegasus/contracts/print-queue/printers'
import { isAdmin } from '@pegasus/contracts/roles'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FormFieldsProps } from '@/components/kit/form-fields.ts'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { Options, Select } from '@/components/ui/forms/select.tsx'
import { Textarea } from '@/components/ui/forms/textarea.tsx'
import { useCurrentUser } from '@/lib/session/session.ts'
import { KIND_LABELS } from '../printer-labels.ts'
import { placeChoicesQuery } from '../printers.queries.ts'
import { PRINTER_LABELS, type PrinterForm } from './printer-form.ts'
import { t } from '@/lib/i18n/messages.ts'

interface PrinterFieldsProps extends FormFieldsProps<keyof PrinterForm> {
  /** True if the server already stores an API key. */
  hasKey?: boolean
}

/** The dimensions of the bed, each with a typical value in mm as an example. */
const BED = [
  ['bed_x', '250'],
  ['bed_y', '210'],
  ['bed_z', '220'],
] as const

/** The fields of a printer, for adding and editing it. */
export function PrinterFields({ form, change, errors, hintOf, hasKey = false }: PrinterFieldsProps) {
  const canConnect = isAdmin(useCurrentUser().role)
  const places = useQuery(placeChoicesQuery)
  const kinds = PRINTER_KINDS.filter((kind) => canConnect || !isNetworkKind(kind) || kind === form.kind)
  const isNetwork = PRINTER_KINDS.some((kind) => kind === form.kind && isNetworkKind(kind))
  const isBambu = form.kind === 'bambu'
  const bind = (field: keyof PrinterForm) => ({
    value: form[field],
    onChange: ({ target: { value } }: { target: { value: string } }) => change({ [field]: value }),
    autoComplete: 'off',
  })
  const about = (field: keyof PrinterForm, hint?: ReactNode) => ({
    label: PRINTER_LABELS[field],
    error: errors[field],
    hint: hintOf?.(field) ?? hint,
  })
  const number = { inputMode: 'decimal' as const }
  return (
    <div className="grid grid-cols-6 items-start gap-4">
      <Field {...about('name')} isRequired className="col-span-3 phone:col-span-full">
        <Input {...bind('name')} maxLength={100} dir="auto" autoFocus placeholder={t('MK4 · 02')} />
      </Field>
      <Field
        {...about('model', t('The name of the printer in the slicer, to find matching files'))}
        className="col-span-3 phone:col-span-full"
      >
        <Input {...bind('model')} maxLength={100} dir="auto" placeholder={t('Prusa MK4S')} />
      </Field>
      <Field
        {...about('kind', canConnect ? undefined : t('Only an admin can connect printers over the network'))}
        className="col-span-3 phone:col-span-full"
      >
        <Select {...bind('kind')}>
          <Options of={kinds.map((kind) => ({ value: kind, label: KIND_LABELS[kind] }))} />
        </Select>
      </Field>
      <Field {...about('location_id')} className="col-span-3 phone:col-span-full">
        <Select {...bind('location_id')}>
          <option value="">{t('No location')}</option>
          <Options of={(places.data ?? []).map(({ id, path }) => ({ value: id, label: path }))} />
        </Select>
      </Field>
      {isNetwork && canConnect ? (
        <>
          <Field
            {...about(
              'address',
              isBambu ? t('You can add the serial number: 192.168.1.20/01S00C…') : undefined,
            )}
            isRequired
            className="col-span-3 phone:col-span-full"
          >
            <Input
              {...bind('address')}
              maxLength={500}
              inputMode="url"
              placeholder={isBambu ? '192.168.1.20' : 'http://192.168.1.20'}
            />
          </Field>
          <Field
            {...about('api_key', hasKey ? t('Leave it empty to keep the stored key') : t('Stored encrypted'))}
            label={isBambu ? t('Access code') : PRINTER_LABELS.api_key}
            className="col-span-3 phone:col-span-full"
          >
            <Input {...bind('api_key')} maxLength={500} type="password" autoComplete="new-password" />
          </Field>
        </>
      ) : null}
      {isBambu ? (
        <p className="col-span-full text-label text-ink-2">
          {t(
            'Switch on LAN mode and Developer Mode at the printer. This connection is based on public descriptions. It has not been tested with a real printer yet.',
          )}
        </p>
      ) : null}
      {isNetwork ? (
        <Field {...about('takes_jobs', t('A plate starts only on a cleared bed'))} className="col-span-full">
          <Select {...bind('takes_jobs')}>
            <option value="no">{t('Start only jobs that a person assigned')}</option>
            <option value="yes">{t('Also start jobs that the planner proposes')}</option>
          </Select>
        </Field>
      ) : null}
      {BED.map(([side, usual]) => (
        <Field key={side} {...about(side)} className="col-span-2">
          <Input {...bind(side)} {...number} unit={t('mm')} placeholder={usual} />
        </Field>
      ))}
      <Field {...about('nozzle_mm')} className="col-span-3">
        <Input {...bind('nozzle_mm')} {...number} unit={t('mm')} placeholder="0.4" />
      </Field>
      <Field {...about('slots', t('Spools it can hold'))} className="col-span-3">
        <Input {...bind('slots')} inputMode="numeric" />
      </Field>
      <Field {...about('hourly_rate', t('For the cost of a piece'))} className="col-span-3">
        <Input {...bind('hourly_rate')} {...number} />
      </Field>
      <Field {...about('average_watts', t('While it prints'))} className="col-span-3">
        <Input {...bind('average_watts')} inputMode="numeric" unit="W" />
      </Field>
      <Field {...about('print_hours', t('That a used printer has printed'))} className="col-span-full">
        <Input {...bind('print_hours')} {...number} unit="h" />
      </Field>
      <Field {...about('notes')} className="col-span-full">
        <Textarea {...bind('notes')} maxLength={10_000} dir="auto" rows={3} />
      </Field>
    </div>
  )
}
