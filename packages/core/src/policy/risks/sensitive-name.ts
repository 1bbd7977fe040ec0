import { wordSet } from "./argument-kind.ts"

/**
 * Whether a text names a place where secrets are usually kept: `.env`, a private key, a credentials file, a folder such as `.ssh`. By its
 * words alone, in time linear in the text; errs towards yes. A secret under an ordinary name is not found.
 */
export function namesSecretPlace(text: string): boolean {
  if (wordsNamePlace(text)) return true
  if (!text.includes("%")) return false
  const decoded = decodedText(text)
  return decoded !== text && wordsNamePlace(decoded)
}

/** Everything that separates names in paths, addresses, globs and command lines. */
const words = /[^\s"'`,;:=&|<>(){}[\]/\\]+/g

function wordsNamePlace(text: string): boolean {
  const isPath = /[/\\]/.test(text)
  for (const [word] of text.toLowerCase().matchAll(words)) if (namesPlace(word, isPath)) return true
  return /(?:^|[/\\])etc[/\\]g?shadow\b/i.test(text)
}

const places = wordSet(`
  .envrc .netrc _netrc .npmrc .pypirc .pgpass .htpasswd .my.cnf .mylogin.cnf .git-credentials .dockercfg .dockerconfigjson .vault-token .boto
  .ssh .gnupg .aws .azure .kube .gcloud .password-store .docker
  id_rsa id_dsa id_ecdsa id_ed25519 kubeconfig master.key wallet.dat application_default_credentials.json`)

/** Files that are templates of such files, meant to be read by everyone. */
const examples = /[.-](?:example|sample|template|dist|defaults?)$/

const environments = /^\.env(?![a-z])|[^.]\.env$/
const programWords = wordSet("process.env import.meta.env deno.env bun.env")
const keys = /\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|ovpn|tfstate|tfvars)$/
const telling = /(?:^|[._-])(?:secrets?|credentials?|passwords?|passwd|private[._-]?keys?|api[._-]?keys?)(?:[._-]|$)/

function namesPlace(word: string, isPath: boolean): boolean {
  if (places.has(word)) return true
  if (programWords.has(word)) return false
  if ((environments.test(word) || keys.test(word)) && !examples.test(word)) return true
  // In prose, "password" is a word; in a path or a file's name it says what is kept there.
  return (isPath || /\.[a-z]/.test(word)) && telling.test(word) && !examples.test(word)
}

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replaceAll(/%([0-7][0-9a-f])/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
}
