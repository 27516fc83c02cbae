import { useMutation } from '@tanstack/react-query'
import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/actions/button.tsx'
import { ConfirmDialog } from '@/components/ui/overlays/confirm-dialog.tsx'
import { cx } from '@/lib/class-names.ts'
import { describeFactorError } from './code-message.ts'
import { t } from '@/lib/i18n/messages.ts'

interface RecoveryCodesRowProps {
  /** The number of unused codes and of all codes; null if there are no codes. */
  counts: { remaining: number; total: number } | null
  isMaking: boolean
  /** Called to create new codes and show them. */
  onMake: (isReplacement: boolean) => Promise<unknown>
}

/** With this many unused codes or fewer, the person is advised to create new ones. */
const FEW = 3

export function RecoveryCodesRow({ counts, isMaking, onMake }: RecoveryCodesRowProps) {
  const [isReplacing, setIsReplacing] = useState(false)
  const isScarce = !counts || counts.remaining <= FEW
  return (
    <div className="flex items-center gap-3 px-3 py-2.5">
      <LifeBuoy size={18} strokeWidth={1.6} className="shrink-0 text-ink-3" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t('Recovery codes')}</p>
        <p className={cx('text-caption', isScarce ? 'font-medium text-yellow-ink' : 'text-ink-3')}>
          {counts
            ? t('{remaining} of {total} left', { remaining: counts.remaining, total: counts.total })
            : t('No codes yet: without your phone or key, you cannot sign in')}
        </p>
      </div>
      <Button
        size="sm"
        isPending={isMaking && !counts}
        aria-label={counts ? t('Replace recovery codes') : t('Create recovery codes')}
        onClick={() => (counts ? setIsReplacing(true) : void onMake(false).catch(() => null))}
      >
        {counts ? t('Replace') : t('Create codes')}
      </Button>
      {isReplacing ? (
        <ReplaceDialog onClose={() => setIsReplacing(false)} onReplace={() => onMake(true)} />
      ) : null}
    </div>
  )
}

function ReplaceDialog({ onClose, onReplace }: { onClose: () => void; onReplace: () => Promise<unknown> }) {
  const replace = useMutation({ mutationFn: onReplace, onSuccess: onClose })
  return (
    <ConfirmDialog
      title={t('Replace your recovery codes?')}
      keepLabel={t('Keep the old ones')}
      confirmLabel={t('Replace all codes')}
      isPending={replace.isPending}
      error={replace.error && describeFactorError(replace.error)}
      onConfirm={replace.mutate}
      onClose={onClose}
    >
      {t('You get ten new codes. The old ones stop working at once, wherever you have stored them.')}
    </ConfirmDialog>
  )
}
