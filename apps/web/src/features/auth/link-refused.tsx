import { AlertBox } from '@/components/ui/feedback/alert-box.tsx'

/** Why the link of a mail did nothing; the form below it asks for another one. */
export const LinkRefused = ({ sentence }: { sentence: string }) => (
  <AlertBox title={sentence}>Each link works once, and only for a while. Request a new one below.</AlertBox>
)
