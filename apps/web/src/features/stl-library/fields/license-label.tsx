import { isSaleForbidden } from '@pegasus/contracts/stl-library/licenses'
import type { Model } from '@pegasus/contracts/stl-library/models'
import { Ban } from 'lucide-react'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'
import { t } from '@/lib/i18n/messages.ts'

interface LicenseLabelProps {
  model: Pick<Model, 'license_type' | 'sale_allowed'>
}

/** The name of a license, with a ban sign if prints must not be sold. */
export function LicenseLabel({ model }: LicenseLabelProps) {
  if (!isSaleForbidden(model))
    return (
      <span className="font-medium whitespace-nowrap text-ink-2">{LICENSE_LABELS[model.license_type]}</span>
    )
  return (
    <span
      className="inline-flex items-center gap-[5px] font-medium whitespace-nowrap text-ink-2"
      title={t('Prints may not be sold')}
    >
      <Ban size={14} strokeWidth={1.75} className="shrink-0 text-red-ink" aria-hidden />
      {LICENSE_LABELS[model.license_type]}
      <span className="sr-only">
        {', '}
        {t('prints may not be sold')}
      </span>
    </span>
  )
}
