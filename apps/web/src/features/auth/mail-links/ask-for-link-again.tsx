import { AskForLinkForm } from './ask-for-link-form.tsx'
import { SignInFrame } from '../sign-in-frame.tsx'
import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'
import { t } from '@/lib/i18n/messages.ts'

interface AskForLinkAgainProps {
  link: 'password' | 'confirmation'
  title: string
  /** The reason why the link was refused; null if there was no link. */
  sentence: string | null
}

/** The screen for a link that does not work, with a form that requests a new one. */
export const AskForLinkAgain = ({ link, title, sentence }: AskForLinkAgainProps) => (
  <SignInFrame otherWay={{ path: '/login', label: t('Back to sign in') }}>
    <AskForLinkForm
      link={link}
      title={title}
      notice={sentence ? <LinkRefused sentence={sentence} /> : null}
    />
  </SignInFrame>
)

/** Explains why a mailed link was refused. The form below requests another link. */
const LinkRefused = ({ sentence }: { sentence: string }) => (
  <AlertBox title={sentence}>
    {t('Each link works once, and only for a while. Request a new one below.')}
  </AlertBox>
)
