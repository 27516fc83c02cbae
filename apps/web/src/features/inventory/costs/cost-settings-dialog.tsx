import { type CostSettings, getCostSettings, updateCostSettings } from '@pegasus/contracts/inventory/costs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CardState } from '@/components/card-state.tsx'
import { EditDialog, type EditFields } from '@/components/kit/edit-dialog.tsx'
import { Dialog } from '@/components/ui/overlays/dialog.tsx'
import { Field } from '@/components/ui/forms/field.tsx'
import { Input } from '@/components/ui/forms/input.tsx'
import { callApi, ifMatch } from '@/lib/http/api.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { useItemRefresh } from '../inventory.queries.ts'
import { formOf, RATE_LABELS, type RateForm, readRates } from './cost-form.ts'
import { apiQuery } from '@/lib/http/api-queries.ts'
import { t } from '@/lib/i18n/messages.ts'

const costSettingsQuery = apiQuery(['inventory', 'cost-settings'], getCostSettings)

/** Edits the rates that the cost of a piece is calculated from. */
export function CostSettingsDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery(costSettingsQuery)
  if (query.data) return <RatesDialog settings={query.data} onClose={onClose} />
  return (
    <Dialog isOpen onClose={onClose} title={t('Cost settings')} size="lg">
      <CardState
        error={t('The cost settings could not be loaded.')}
        loading={t('The cost settings: loading')}
        query={query}
      />
    </Dialog>
  )
}

interface Rate {
  field: keyof RateForm
  unit: (currency: string) => string
  hint?: string
}

const money = (per: string) => (currency: string) => (per ? `${currency}/${per}` : currency)
const unit = (name: string) => () => name

const GROUPS: readonly { name: string; rates: readonly Rate[] }[] = [
  {
    name: t('Printing'),
    rates: [
      { field: 'material_price_per_kg', unit: money('kg') },
      { field: 'waste_percent', unit: unit('%'), hint: t('Purging, brims, supports') },
      { field: 'machine_price_per_hour', unit: money('h'), hint: t('Wear and purchase of the printer') },
      { field: 'printer_watts', unit: unit('W') },
      { field: 'electricity_price_per_kwh', unit: money('kWh') },
      { field: 'failure_percent', unit: unit('%'), hint: t('Share of failed prints') },
    ],
  },
  {
    name: t('Work'),
    rates: [
      { field: 'labor_price_per_hour', unit: money('h') },
      { field: 'prepare_minutes_per_print', unit: unit(t('min')) },
      { field: 'finish_minutes_per_piece', unit: unit(t('min')) },
    ],
  },
  {
    name: t('Price'),
    rates: [
      { field: 'extras_per_piece', unit: money(''), hint: t('Inserts, packaging') },
      { field: 'overhead_percent', unit: unit('%') },
      { field: 'margin_percent', unit: unit('%'), hint: t('Share of the price that remains after the cost') },
    ],
  },
]

function RatesDialog({ settings, onClose }: { settings: CostSettings; onClose: () => void }) {
  const client = useQueryClient()
  const refresh = useItemRefresh()
  return (
    <EditDialog
      title={t('Cost settings')}
      description={
        settings.updated_at
          ? t('Changed {updated_at} by {name}.', {
              updated_at: formatDateTime(settings.updated_at),
              name: settings.updated_by?.name ?? t('somebody'),
            })
          : t('These are the defaults. Costs already saved with items stay unchanged.')
      }
      size="lg"
      thing={settings}
      formOf={formOf}
      labels={RATE_LABELS}
      read={readRates}
      save={({ body, revision }) => callApi(updateCostSettings, { body, headers: ifMatch(revision) })}
      reread={() => callApi(getCostSettings)}
      savedText={() => t('Cost settings saved')}
      onSaved={(saved) => {
        client.setQueryData(costSettingsQuery.queryKey, saved)
        refresh()
      }}
      onClose={onClose}
    >
      {(fields) => <RateFields {...fields} currency={settings.currency} />}
    </EditDialog>
  )
}

const RateFields = ({
  form,
  change,
  errors,
  hintOf,
  currency,
}: EditFields<keyof RateForm> & { currency: string }) => (
  <div className="flex flex-col gap-5">
    {GROUPS.map(({ name, rates }) => (
      <fieldset key={name} className="min-w-0">
        <legend className="mb-2 font-semibold">{name}</legend>
        <div className="grid grid-cols-3 items-start gap-x-4 gap-y-3 phone:grid-cols-2">
          {rates.map(({ field, unit: unitOf, hint }) => (
            <Field key={field} label={RATE_LABELS[field]} error={errors[field]} hint={hintOf(field) ?? hint}>
              <Input
                value={form[field]}
                inputMode="decimal"
                autoComplete="off"
                unit={unitOf(currency)}
                className="[&>input]:pe-20"
                onChange={(event) => change({ [field]: event.target.value })}
              />
            </Field>
          ))}
        </div>
      </fieldset>
    ))}
  </div>
)
