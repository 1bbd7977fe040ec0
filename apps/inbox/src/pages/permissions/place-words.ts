/** Where a rule is written, as people say it: the file's name and the line, without the folders that lead there. */
export function placeWords(where: string): string {
  const found = /(?:^|[/\\])([^/\\]+?):(\d+)(?::\d+)?$/.exec(where)
  return found === null ? where : `${found[1]}, line ${found[2]}`
}
