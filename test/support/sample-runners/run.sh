# Runs each shell file of the folder; keeps its output and its exit code beside it.
for file in "$1"/*.sh; do
  sh "$file" > "$file.out" 2>&1
  echo $? > "$file.code"
done
