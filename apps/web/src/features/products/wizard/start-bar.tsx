import type { Draft } from '@pegasus/contracts/products/drafts'
import { Box, Boxes } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { useNow } from '@/lib/browser/use-now.ts'
import { formatAgo } from '@/lib/format/format.ts'
import { type Part, PartPicker } from '../product-form/part-picker.tsx'
import { isEmptyForm, type ProductForm, STEPS } from '../product-form/product-form.ts'
import { t } from '@/lib/i18n/messages.ts'

/** Number of drafts that are offered here. The Drafts dialog lists all of them. */
const DRAFTS_SHOWN = 3

interface StartBarProps {
  form: ProductForm
  onPick: (part: Part) => void
  /** The drafts on the server, newest first. */
  drafts: readonly Draft[]
  onDraft: (draft: Draft) => void
}

/** A bar that offers to continue a draft, or to start from existing data. Shown while nothing is typed. */
export function StartBar({ form, onPick, drafts, onDraft }: StartBarProps) {
  const [kind, setKind] = useState<Part['kind'] | null>(null)
  if (!isEmptyForm(form) && kind === null) return null
  return (
    <div className="rounded-control bg-sunken">
      {drafts.length > 0 ? (
        <ul aria-label={t('Unfinished products')} className="divide-y divide-line border-b border-line">
          {drafts.slice(0, DRAFTS_SHOWN).map((draft) => (
            <DraftLine key={draft.id} draft={draft} onOpen={() => onDraft(draft)} />
          ))}
        </ul>
      ) : null}
      <div className="flex flex-wrap items-center gap-2 px-3 py-2.5">
        <p className="min-w-48 flex-1 text-label text-ink-2">
          {t(
            'Start from an existing part: name, description, tags, license, measures, price and pictures are filled in.',
          )}
        </p>
        <Button
          size="sm"
          icon={<Box size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setKind('model')}
        >
          {t('From a model')}
        </Button>
        <Button
          size="sm"
          icon={<Boxes size={14} strokeWidth={1.75} aria-hidden />}
          onClick={() => setKind('item')}
        >
          {t('From an inventory item')}
        </Button>
      </div>
      {kind ? (
        <PartPicker
          key={kind}
          kind={kind}
          title={kind === 'model' ? t('Start from a model') : t('Start from an inventory item')}
          onClose={() => setKind(null)}
          onPick={(part) => {
            setKind(null)
            onPick(part)
          }}
        />
      ) : null}
    </div>
  )
}

function DraftLine({ draft, onOpen }: { draft: Draft; onOpen: () => void }) {
  const nowMs = useNow()
  const { title, step, is_mine: isMine, owner, updated_at: updatedAt } = draft
  return (
    <li className="flex min-h-11 items-center gap-3 px-3 py-1.5">
      <p className="min-w-0 flex-1">
        <bdi className="block truncate text-label font-medium" title={title}>
          {title}
        </bdi>
        <span className="block truncate text-caption text-ink-3">
          {isMine ? '' : `${owner.name} · `}
          {STEPS[step - 1]} · {formatAgo(updatedAt, nowMs)}
        </span>
      </p>
      <Button size="sm" aria-label={t('Continue {title}', { title })} onClick={onOpen}>
        {t('Continue')}
      </Button>
    </li>
  )
}
