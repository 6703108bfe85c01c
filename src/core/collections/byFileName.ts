/**
 * Returns the value of a file: by its full name, or else by its longest extension that has a value.
 *
 * @param values  values by full names (`makefile`) and extensions (`.ts`), in lower case
 * @param name    name of the file in lower case, without folders
 */
export function byFileName<Value>(values: ReadonlyMap<string, Value>, name: string): Value | undefined {
  let value = values.get(name);
  for (let dot = name.indexOf('.'); value === undefined && dot >= 0; dot = name.indexOf('.', dot + 1)) {
    value = values.get(name.slice(dot));
  }
  return value;
}
