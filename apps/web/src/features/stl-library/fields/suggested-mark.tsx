import { Sparkles } from 'lucide-react'
import { t } from '@/lib/i18n/messages.ts'

/** Marks a suggested text. With `isHint`, it also says how to handle the suggestion. */
export const SuggestedMark = ({ isHint = false }: { isHint?: boolean }) => (
  <span
    title={t('Suggested from the file, not typed by a person')}
    className="inline-flex h-5 items-center gap-1 rounded-badge bg-accent-soft px-1.5 text-caption font-[550] text-accent-ink"
  >
    <Sparkles size={12} strokeWidth={1.75} aria-hidden />
    {isHint ? t('suggested; edit or keep') : t('suggested')}
  </span>
)
