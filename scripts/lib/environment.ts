// The environment variables that a step of the checks may inherit. Others, such as PORT, DATA_DIR, DATABASE_URL and
// NODE_ENV, would change the configuration that is tested.
const INHERITED = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LANGUAGE|LC_.*|TMPDIR|TEMP|TMP|CI)$/i,
  /^(SYSTEMROOT|SYSTEMDRIVE|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES.*)$/i,
  /^(NODE_EXTRA_CA_CERTS|NODE_COMPILE_CACHE|SSL_CERT_FILE|SSL_CERT_DIR|https?_proxy|no_proxy|npm_config_registry)$/i,
  /^(PLAYWRIGHT_|PEGASUS_|FUZZ_)/,
]

/** Returns the variables of this process that may be inherited, together with `extra`. */
export function cleanEnvironment(
  extra: Record<string, string> = {},
  from = process.env,
): Record<string, string> {
  const kept = Object.entries(from).filter(([name]) => INHERITED.some((pattern) => pattern.test(name)))
  return { ...(Object.fromEntries(kept) as Record<string, string>), ...extra }
}
