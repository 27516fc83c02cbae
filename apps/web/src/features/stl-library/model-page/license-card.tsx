import type { SaleVerdict, Model } from '@pegasus/contracts/stl-library/models'
import { Ban, Check, CircleHelp, Copy, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '@/components/ui/display/card.tsx'
import { IconButton } from '@/components/ui/actions/icon-button.tsx'
import { toast } from '@/components/ui/overlays/toast-store.ts'
import { copyText } from '@/lib/browser/clipboard.ts'
import { cx } from '@/lib/class-names.ts'
import { formatDateTime } from '@/lib/format/format.ts'
import { SALE_WORDS } from '../search/filter-labels.ts'
import { webAddress } from '../fields/web-address.ts'
import { LICENSE_LABELS } from '@/lib/i18n/licenses.ts'
import { rich, t } from '@/lib/i18n/messages.ts'
import { serverText } from '@/lib/i18n/server-texts.ts'

const VERDICT_LOOKS: Readonly<Record<SaleVerdict, { Icon: LucideIcon; className: string }>> = {
  allowed: { Icon: Check, className: 'text-green-ink' },
  forbidden: { Icon: Ban, className: 'text-red-ink' },
  unknown: { Icon: CircleHelp, className: 'text-yellow-ink' },
}

/** Shows whether prints may be sold under the license, with the reason and the evidence. */
export function LicenseCard({ model }: { model: Model }) {
  const { Icon, className } = VERDICT_LOOKS[model.sale_verdict]
  return (
    <Card title={t('License')}>
      <div className="flex flex-col gap-2 px-4 py-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold">{LICENSE_LABELS[model.license_type]}</span>
          <span className={cx('ms-auto flex items-center gap-1.5 text-label font-[550]', className)}>
            <Icon size={14} strokeWidth={2} aria-hidden />
            {SALE_WORDS[model.sale_verdict]}
          </span>
        </div>
        <p className="text-label text-ink-2">{serverText(model.sale_reason)}</p>
        {model.sale_note ? (
          <Noted name={t('Note on selling')}>
            <p className="whitespace-pre-line wrap-anywhere" dir="auto">
              {model.sale_note}
            </p>
          </Noted>
        ) : null}
        {model.attribution ? <AttributionLine text={model.attribution} /> : null}
        {model.attribution && !model.attribution_url && !model.source_url ? (
          <p className="text-label text-ink-2">
            {t(
              "The attribution does not name its source. Add an attribution URL, such as the author's page.",
            )}
          </p>
        ) : null}
        {model.attribution_url ? (
          <Noted name={t('Attribution')}>
            <WebLink address={model.attribution_url} />
          </Noted>
        ) : null}
        {model.source_url ? (
          <Noted name={t('Source')}>
            <WebLink address={model.source_url} />
            {model.fetched_at ? (
              <p className="text-ink-3">
                {rich('fetched {fetched_at}', {
                  fetched_at: <time dateTime={model.fetched_at}>{formatDateTime(model.fetched_at)}</time>,
                })}
              </p>
            ) : null}
          </Noted>
        ) : null}
      </div>
    </Card>
  )
}

const Noted = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="border-t border-line pt-2 text-label">
    <h3 className="text-caption text-ink-3">{name}</h3>
    {children}
  </div>
)

function AttributionLine({ text }: { text: string }) {
  const copy = async () =>
    toast({
      title: (await copyText(text))
        ? t('Attribution line copied')
        : t('The browser did not allow copying. Select the text and copy it by hand.'),
    })
  return (
    <Noted name={t('Attribution for every listing')}>
      <div className="flex items-start gap-1">
        <p className="min-w-0 flex-1 wrap-anywhere" dir="auto">
          {text}
        </p>
        <IconButton
          label={t('Copy attribution line')}
          size="sm"
          className="-mt-1 -me-1.5"
          onClick={() => void copy()}
        >
          <Copy size={14} strokeWidth={1.75} aria-hidden />
        </IconButton>
      </div>
    </Noted>
  )
}

function WebLink({ address }: { address: string }) {
  const link = webAddress(address)
  if (!link) return <p className="text-ink-2 wrap-anywhere">{address}</p>
  return (
    <a
      href={link.href}
      target="_blank"
      rel="noreferrer noopener"
      className="link relative block w-fit max-w-full truncate"
      title={link.href}
    >
      {link.text}
      <span className="sr-only"> {t('(opens in a new window)')}</span>
    </a>
  )
}
